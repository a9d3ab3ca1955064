import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Combobox } from '@mantine/core';
import { Fragment, type MouseEvent } from 'react';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './FindBox.module.css';
import type { Choice, Group } from './found-choices.ts';

interface ListProps {
  groups: readonly Group[];
  onPress: (event: MouseEvent) => void;
}

/** The choices under the headings of their groups. */
export function FoundList({ groups, onPress }: ListProps) {
  const { t } = useLingui();
  return (
    <Combobox.Options className={styles.list} aria-label={t`People and pages`}>
      {groups.map(({ title, choices }) => (
        <Combobox.Group key={title} label={title}>
          {choices.map((choice) => (
            <Combobox.Option key={choice.value} value={choice.value} className={styles.option} onMouseDown={onPress}>
              <span>{choice.title}</span>
              {choice.more.map((words) => (
                <Fragment key={words}>
                  {' '}
                  <span className={styles.more}>{words}</span>
                </Fragment>
              ))}
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  );
}

interface StatusProps {
  choices: readonly Choice[];
  typed: string;
  isAnswered: boolean;
  isAway: boolean;
}

/** How the search goes, below the choices; their number is only read out. */
export function FoundStatus({ choices, typed, isAnswered, isAway }: StatusProps) {
  return (
    <div role="status">
      {isAway && (
        <p className={styles.note}>
          <Trans>People can’t be searched right now. Pages still can.</Trans>
        </p>
      )}
      {!isAnswered && choices.length === 0 && (
        <p className={styles.note}>
          <Trans>Searching…</Trans>
        </p>
      )}
      {isAnswered && !isAway && choices.length === 0 && (
        <p className={styles.note}>
          <Trans>No entries match.</Trans>
        </p>
      )}
      {isAnswered && typed !== '' && choices.length > 0 && (
        <VisuallyHidden>
          <Plural value={choices.filter(({ isAll }) => !isAll).length} one="# entry found" other="# entries found" />
        </VisuallyHidden>
      )}
    </div>
  );
}
