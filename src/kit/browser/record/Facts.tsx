import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import styles from './Facts.module.css';

export interface Fact {
  label: string;
  /** Left out where it is empty and has no action. */
  value: ReactNode;
  /** A button beside the value. */
  action?: ReactNode;
}

/** What a record says, each value with its name: in two columns where its card is wide enough. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(({ value, action }) => value || action)
      .map(({ label, value, action }) => (
        <Grid align="baseline" key={label}>
          <dt>{label}</dt>
          <dd>
            {value || (
              <span className="soft">
                <Trans>Not set</Trans>
              </span>
            )}{' '}
            {action}
          </dd>
        </Grid>
      ))}
  </dl>
);
