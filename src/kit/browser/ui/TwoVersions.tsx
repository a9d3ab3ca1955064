import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import { Table } from './Layout.tsx';
import { Notice } from './Notice.tsx';
import styles from './TwoVersions.module.css';

/** A value that differs between the saved version and the one in the form. */
export interface Difference {
  label: string;
  saved: string;
  mine: string;
}

interface Props {
  /** Empty where all values are the same. */
  differences: readonly Difference[];
  onSaved: () => void;
  onMine: () => void;
}

/**
 * What another user has saved beside what was entered here, and a choice between them. It takes the focus when it appears
 * or changes, since the button that was pressed may be far below.
 */
export function TwoVersions({ differences, onSaved, onMine }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other differences are a new reason to be read.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'start' });
    box.current?.focus({ preventScroll: true });
  }, [differences]);
  return (
    <Notice as="div" role="alert" ref={box} tabIndex={-1} className={styles.choice}>
      <p>
        <Trans>Someone else has changed this. Which version do you want to keep?</Trans>
      </p>
      {differences.length > 0 && (
        <Table className="versions">
          <thead>
            <tr>
              <td />
              <th scope="col">{t`Saved version`}</th>
              <th scope="col">{t`Your version`}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ label, saved, mine }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{saved}</td>
                <td>{mine}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="summary-buttons">
        <Button onClick={onSaved}>
          <Trans>Use the saved version</Trans>
        </Button>
        <Button onClick={onMine}>
          <Trans>Keep my version</Trans>
        </Button>
      </div>
    </Notice>
  );
}
