import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Row } from './Layout.tsx';
import styles from './StageStrip.module.css';

export interface Stage {
  name: string;
  /** When it was, or will be. */
  detail?: string;
  /** It is past and was left out; its detail says so. */
  isSkipped?: boolean;
}

interface Props {
  label: string;
  stages: readonly Stage[];
  /** The place of the current stage; those before it are done. After the last one none is current. */
  current: number;
  /** What comes next, in a sentence. */
  now: ReactNode;
  /** What follows from it. */
  detail?: ReactNode;
  /** The one act of the page; on a phone it is at the foot. */
  act?: ReactNode;
}

/** How far a record is, and the one thing that comes next. */
export const StageStrip = ({ label, stages, current, now, detail, act }: Props) => (
  <div>
    <ol className={styles.stages} aria-label={label}>
      {stages.map(({ name, detail, isSkipped }, place) => {
        const isPast = place < current;
        const Mark = isSkipped ? IconMinus : IconCheck;
        return (
          <li
            key={name}
            data-done={(isPast && !isSkipped) || undefined}
            data-skipped={(isPast && isSkipped) || undefined}
            aria-current={place === current ? 'step' : undefined}
          >
            <span className={styles.number} aria-hidden>
              {isPast ? <Mark size={13} stroke={3} /> : place + 1}
            </span>
            <b>{name}</b>
            <small>{detail}</small>
          </li>
        );
      })}
    </ol>
    <Row gap={16} align="center" className={styles.now} data-at={current < stages.length ? current : undefined}>
      <div className={styles.words}>
        <p>{now}</p>
        {detail && <p className={styles.detail}>{detail}</p>}
      </div>
      {act && (
        <div className={styles.act} data-stage-act>
          {act}
        </div>
      )}
    </Row>
  </div>
);
