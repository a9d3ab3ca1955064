import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { AskClosing } from './AskClosing.tsx';
import { FootAct } from './FootAct.tsx';
import { Line } from './Line.tsx';
import styles from './YearEnd.module.css';

interface Props {
  found: OutputOf<typeof yearEndApi.read>;
  /** The tabs, below the figures. */
  children: ReactNode;
}

/** What keeps a year open, what is worth a look, what carries over, and what is done; for an Admin the act. */
export function OpenYear({ found, children }: Props) {
  const { t } = useLingui();
  const { year, endedFor, lines } = found;
  const [seen, setSeen] = useState<readonly string[]>([]);
  const preview = usePreview(yearEndApi.close);
  const mayClose = useMay(yearEndApi.close);
  const title = year ? t`Close the year ${year.name}` : t`Close the year`;
  if (!year || year.phase === 'Closed')
    return (
      <>
        <PageHead title={title} />
        {children}
        <EmptyState message={year ? <Trans>{year.name} is closed.</Trans> : <Trans>No academic year.</Trans>} />
      </>
    );
  const open = lines.filter((line) => line.open !== 0);
  const blocks = open.filter(({ at }) => at === 'blocks');
  const warns = open.filter(({ at }) => at === 'warns');
  const says = open.filter(({ at }) => at === 'says');
  const finished = lines.filter((line) => line.open === 0);
  const unseen = warns.filter(({ key }) => !seen.includes(key));
  const done = lines.length - unseen.length - blocks.length;
  const toggle = (key: string) => setSeen(seen.includes(key) ? seen.filter((one) => one !== key) : [...seen, key]);
  const ticks = warns.flatMap(({ key }) => (seen.includes(key) ? [key] : []));
  return (
    <>
      <PageHead title={title}>
        {mayClose && (
          <FootAct>
            {endedFor === 0 ? (
              <Button disabled>
                <Trans>Close after {showDate(year.endsOn)}</Trans>
              </Button>
            ) : blocks.length > 0 ? (
              <Button disabled>
                <Plural value={blocks.length} one="Close: # thing blocks" other="Close: # things block" />
              </Button>
            ) : unseen.length > 0 ? (
              <Button disabled>
                <Trans>Close: {unseen.length} to see</Trans>
              </Button>
            ) : (
              <Button kind="main" onClick={() => void preview.show({ id: year.id, seen: ticks })}>
                <Trans>Close {year.name}…</Trans>
              </Button>
            )}
          </FootAct>
        )}
      </PageHead>
      <Text tone="soft" mb={8}>
        {endedFor > 0 ? (
          <Plural
            value={endedFor}
            one={`Ended on ${showDate(year.endsOn)}, # day ago`}
            other={`Ended on ${showDate(year.endsOn)}, # days ago`}
          />
        ) : (
          <Trans>Ends on {showDate(year.endsOn)}</Trans>
        )}
      </Text>
      <Row gap={12} align="center" wrap mb={8}>
        <Row gap={2} className={styles.bar} aria-hidden>
          <i data-at="done" style={{ flexGrow: done }} />
          <i data-at="warns" style={{ flexGrow: unseen.length }} />
          <i data-at="blocks" style={{ flexGrow: blocks.length }} />
        </Row>
        <Text as="span" tone="soft" size={13}>
          <Trans>
            {done} done · {unseen.length} to check · <Plural value={blocks.length} one="# blocks" other="# block" />
          </Trans>
        </Text>
      </Row>
      {children}
      {preview.problem}
      <Group title={t`Blocks`} about={t`decide these first`} lines={blocks} />
      <Group
        title={t`Worth a look`}
        about={mayClose ? t`mark each one as seen` : ''}
        lines={warns}
        {...(mayClose && { seen, onSee: toggle })}
      />
      <Group title={t`Carries over automatically`} about={t`nothing to do`} lines={says} />
      {finished.length > 0 && (
        <Fold
          line={
            <Plural
              value={finished.length}
              one={`# line done: ${finished.map(({ title }) => translate(title)).join(', ')}`}
              other={`# lines done: ${finished.map(({ title }) => translate(title)).join(', ')}`}
            />
          }
        >
          <List>
            {finished.map((line) => (
              <Line key={line.key} line={line} />
            ))}
          </List>
        </Fold>
      )}
      <AskClosing preview={preview} year={year.name} />
    </>
  );
}

interface GroupProps {
  title: string;
  about: string;
  lines: OutputOf<typeof yearEndApi.read>['lines'];
  seen?: readonly string[];
  onSee?: (key: string) => void;
}

const Group = ({ title, about, lines, seen, onSee }: GroupProps) =>
  lines.length > 0 && (
    <section aria-label={title}>
      <Row as="header" gap={8} align="baseline" wrap line="below" mt={16} py={6}>
        <Text as="h2" size={16} weight={600}>
          {title}
        </Text>
        <Text as="span" tone="soft" size={13}>
          {about}
        </Text>
      </Row>
      <List>
        {lines.map((line) => (
          <Line
            key={line.key}
            line={line}
            {...(onSee && { isSeen: seen?.includes(line.key) ?? false, onSee: () => onSee(line.key) })}
          />
        ))}
      </List>
    </section>
  );
