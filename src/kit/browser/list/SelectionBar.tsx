import { Plural, Trans } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { showNumber } from '#kit/contract/text.ts';
import styles from './SelectionBar.module.css';

interface Props {
  count: number;
  /** The selection is all that match the filters: its acts stay while an act empties the list. */
  isAll?: boolean;
  /** There are more than could be counted. */
  isMore?: boolean;
  /** How many of them are not among the rows shown. */
  elsewhere: number;
  /** Selects all that match the filters; absent where they are. */
  onAll?: () => void;
  /** How many match, such as "1,000+". */
  total: string;
  onClear: () => void;
  /** The acts on the selected records. */
  children?: ReactNode;
}

/** How many records are selected, and what can be done with them; at the window's lower end. */
export function SelectionBar({ count, isAll = false, isMore, elsewhere, onAll, total, onClear, children }: Props) {
  const acts = useRef<HTMLDivElement>(null);
  const isShown = count > 0 || isAll;
  const plus = isMore ? '+' : '';
  return (
    // Always there, so that the first selected row is announced too.
    <div className={classNames(styles.bar, isShown && styles.shown)}>
      <p role="status">
        {isShown && (
          <>
            <Text as="strong" tone="accent">
              <Trans>
                {showNumber(count)}
                {plus} selected
              </Trans>
            </Text>
            {elsewhere > 0 && (
              <span className="soft">
                {' '}
                <Plural value={elsewhere} one="# not on this page" other="# not on this page" />
              </span>
            )}
          </>
        )}
      </p>
      {isShown && (
        <>
          {onAll && (
            <Button
              kind="quiet"
              onClick={() => {
                onAll();
                // This button disappears.
                acts.current?.querySelector('button')?.focus();
              }}
            >
              <Trans>Select all {total}</Trans>
            </Button>
          )}
          <Row gap={8} align="center" wrap ref={acts} className={styles.acts} data-selection-acts>
            <kbd aria-hidden>A</kbd>
            {children}
          </Row>
          <Button kind="quiet" edge="end" className={styles.clear} onClick={onClear}>
            <Trans>Clear selection</Trans>
          </Button>
        </>
      )}
    </div>
  );
}
