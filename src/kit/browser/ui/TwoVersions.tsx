import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

interface Props {
  /** The values that differ; empty where they are the same. */
  differences: readonly { label: string; saved: string; mine: string }[];
  onSaved: () => void;
  onMine: () => void;
}

/** What another user has saved beside what was entered here, and a choice between them. */
export function TwoVersions({ differences, onSaved, onMine }: Props) {
  const { t } = useLingui();
  return (
    <Notice as="div" role="alert">
      <p>
        <Trans>Someone else has changed this. Which version do you want to keep?</Trans>
      </p>
      {differences.length > 0 && (
        <table className="versions">
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
        </table>
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
