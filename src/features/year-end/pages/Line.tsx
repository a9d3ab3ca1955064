import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconArrowRight, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { showNumber } from '#kit/contract/text.ts';
import type { OpenLine } from '../contract/year-end.ts';
import styles from './YearEnd.module.css';

const marks = {
  blocks: { Icon: IconCircleX, words: <Trans>Blocks</Trans> },
  warns: { Icon: IconAlertTriangle, words: <Trans>Worth a look</Trans> },
  says: { Icon: IconArrowRight, words: <Trans>Carries over automatically</Trans> },
  done: { Icon: IconCircleCheck, words: <Trans>Done</Trans> },
};

interface Props {
  line: OpenLine;
  isSeen?: boolean;
  /** Ticks it, or takes the tick off. */
  onSee?: () => void;
}

/** A line of the year's end: its figure, of whom or what, what happens to it, and its page. */
export function Line({ line, isSeen = false, onSee }: Props) {
  const { t } = useLingui();
  const { at, open, of, amount, names, to } = line;
  const title = translate(line.title);
  const isDone = open === 0 || isSeen;
  const mark = isDone ? 'done' : at;
  const { Icon, words } = marks[mark];
  return (
    <Stack as="li" className={styles.line} data-at={mark}>
      <Stack as="span" centre className={styles.mark}>
        <Icon size={18} aria-hidden />
        <VisuallyHidden>{words}</VisuallyHidden>
      </Stack>
      <div className={styles.words}>
        <h3>{title}</h3>
        {names.length > 0 && (
          <p>
            {names.map((name, place) => (
              <Fragment key={translate(name)}>
                {place > 0 && ', '}
                {translate(name)}
              </Fragment>
            ))}
            {open !== null && open > names.length && names.length === 3 && <Trans> and others</Trans>}
          </p>
        )}
      </div>
      <span className={styles.figure}>
        {open === null ? <b>–</b> : amount === undefined ? <b>{showNumber(open)}</b> : <b>{showMoney(amount)}</b>}
        {of !== undefined && (
          <span className="soft">
            {' '}
            <Trans>of {showNumber(of)}</Trans>
          </span>
        )}
      </span>
      <span className={styles.fate}>
        {open === null ? <Trans>could not be counted; reload the page</Trans> : open === 0 ? '' : translate(line.fate)}
      </span>
      <Row as="span" gap={4} justify="end" className={styles.acts}>
        {to !== '' && open !== 0 && (
          <ServedButton to={`/school-erp/${to}`} kind="quiet" aria-label={`${translate(line.act)}: ${title}`}>
            {translate(line.act)}
          </ServedButton>
        )}
        {onSee && open !== 0 && (
          <Button aria-pressed={isSeen} aria-label={t`Seen: ${title}`} onClick={onSee}>
            <Trans>Seen</Trans>
          </Button>
        )}
      </Row>
    </Stack>
  );
}
