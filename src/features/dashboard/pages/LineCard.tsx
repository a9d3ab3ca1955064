import { useId } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Box, List, Panel, Row } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { DashboardCard } from '../contract.ts';
import styles from './DashboardPage.module.css';

/** Records of the user, each with how it stands. */
export function LineCard({
  title,
  lines,
}: {
  title: DashboardCard['title'];
  lines: NonNullable<DashboardCard['lines']>;
}) {
  const heading = useId();
  return (
    <Panel as="section" className={styles.card} aria-labelledby={heading}>
      <h2 id={heading}>{translate(title)}</h2>
      <List>
        {lines.map(({ words, about, state, tone, to }) => (
          <Box as="li" py={6} line="below" key={to}>
            <Row gap="0 12" align="baseline" justify="between" wrap>
              <span>
                <ServedLink className="quiet-link" to={`/school-erp/${to}`}>
                  {translate(words)}
                </ServedLink>{' '}
                <span className="soft">{about}</span>
              </span>
              <Status kind={tone}>{translate(state)}</Status>
            </Row>
          </Box>
        ))}
      </List>
    </Panel>
  );
}
