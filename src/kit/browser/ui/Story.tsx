import { Trans } from '@lingui/react/macro';
import { IconAlertTriangle, IconCircle, IconCircleCheck, IconPointFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { List, Stack } from './Layout.tsx';
import styles from './Story.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/** What a record is made of, a line for each topic, in the order in which it happens. */
export const Story = ({ label, children }: { label: string; children: ReactNode }) => (
  <List as="ol" aria-label={label}>
    {children}
  </List>
);

const marks = {
  done: { Icon: IconCircleCheck, words: <Trans>Done</Trans> },
  due: { Icon: IconAlertTriangle, words: <Trans>Needs attention</Trans> },
  now: { Icon: IconPointFilled, words: <Trans>Now</Trans> },
  coming: { Icon: IconCircle, words: <Trans>Not yet</Trans> },
};
export type Mark = keyof typeof marks;

interface Props {
  mark: Mark;
  topic: ReactNode;
  /** The topic weighs more than its sentence: on a page that is a list of checks. */
  isStrong?: boolean;
  /** A button at the end. */
  act?: ReactNode;
  /** The sentence, with soft lines or a table below it. */
  children: ReactNode;
}

/** A topic with its mark, what there is to say about it, and one act. */
export const Ticked = ({ mark, topic, isStrong, act, children }: Props) => {
  const { Icon, words } = marks[mark];
  return (
    <Stack as="li" className={styles.line}>
      <span className={styles.mark} data-mark={mark}>
        <Icon size={18} aria-hidden />
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
      <h3 className={styles.topic} data-strong={isStrong || undefined}>
        {topic}
      </h3>
      <div className={styles.said}>{children}</div>
      {act && <div className={styles.act}>{act}</div>}
    </Stack>
  );
};
