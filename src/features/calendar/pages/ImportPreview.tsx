import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ListTable } from '#kit/browser/list/ListTable.tsx';
import { translate } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import type { ImportAnswer } from '#kit/contract/import.ts';
import { type Text, withLabel } from '#kit/contract/text.ts';
import styles from './ImportPreview.module.css';

interface Props {
  answer: Pick<ImportAnswer, 'rows' | 'counts'>;
  /** What to do about a refused row. */
  remedy: ReactNode;
  /** The columns of the file by name, whose labels stand before their messages. */
  columns?: Readonly<Record<string, { label: Text }>>;
  /** What can be done with the rows, above them. */
  children?: ReactNode;
}

/** The rows of a file that need a look, and the number of all. */
export function ImportPreview({ answer: { rows, counts }, remedy, columns = {}, children }: Props) {
  const { t } = useLingui();
  const words = { added: t`new`, changed: t`changed`, same: t`unchanged`, wrong: t`error` };
  const kinds = { added: 'good', changed: 'info', same: 'plain', wrong: 'bad' } as const;
  const omitted = counts.added + counts.changed + counts.same + counts.wrong - rows.length;
  return (
    <>
      <p role="status">
        {counts.wrong > 0 ? (
          <>
            <Plural
              value={counts.wrong}
              one="# row has an error. Nothing was imported."
              other="# rows have errors. Nothing was imported."
            />{' '}
            {remedy}
          </>
        ) : (
          <Trans>
            {counts.added} new, {counts.changed} changed, {counts.same} unchanged.
          </Trans>
        )}
      </p>
      {children}
      {rows.length > 0 && (
        <ListTable className={styles.rows}>
          <thead>
            <tr>
              <th scope="col">{t`Line`}</th>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`Result`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, displayName: name, status, messages }) => (
              <tr key={line}>
                <td data-head={t`Line`}>{line}</td>
                <td>{name}</td>
                <td>
                  <Chip kind={kinds[status]}>{words[status]}</Chip>{' '}
                  {Object.entries(messages)
                    .map(([column, message]) => withLabel(message, columns[column]?.label, translate))
                    .join(' ')}
                </td>
              </tr>
            ))}
          </tbody>
        </ListTable>
      )}
      {omitted > 0 && (
        <p className="soft">
          <Plural value={omitted} one="# more entry is not shown." other="# more entries are not shown." />
        </p>
      )}
    </>
  );
}
