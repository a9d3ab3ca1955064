import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import type { ImportAnswer } from '#kit/contract/master.ts';

const mostShown = 100;

interface Props {
  answer: Pick<ImportAnswer, 'rows' | 'counts'>;
  /** What to do where a row is refused. */
  remedy: ReactNode;
}

/** What becomes of the rows: counted, and one by one where something happens. */
export function ImportPreview({ answer: { rows, counts }, remedy }: Props) {
  const { t } = useLingui();
  const words = { added: t`added`, changed: t`changed`, same: t`as it is`, wrong: t`refused` };
  const shown = [
    ...rows.filter(({ status }) => status === 'wrong'),
    ...rows.filter(({ status }) => status === 'added' || status === 'changed'),
  ];
  const omitted = shown.length - mostShown;
  return (
    <>
      <p role="status">
        {counts.wrong > 0 ? (
          <>
            <Plural
              value={counts.wrong}
              one="# row cannot be imported as it is, so none is."
              other="# rows cannot be imported as they are, so none is."
            />{' '}
            {remedy}
          </>
        ) : (
          <Trans>
            {counts.added} will be added, {counts.changed} changed; {counts.same} are there already as they should be.
          </Trans>
        )}
      </p>
      {shown.length > 0 && (
        <table className="list import-rows">
          <thead>
            <tr>
              <th scope="col">{t`Line`}</th>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`What happens`}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, mostShown).map(({ line, displayName: name, status, messages }) => (
              <tr key={line}>
                <td data-head={t`Line`}>{line}</td>
                <td>{name}</td>
                <td>
                  <Chip kind={status === 'wrong' ? 'bad' : 'good'}>{words[status]}</Chip>{' '}
                  {Object.values(messages).map(translate).join(' ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {omitted > 0 && (
        <p className="soft">
          <Plural value={omitted} one="and # more row" other="and # more rows" />
        </p>
      )}
    </>
  );
}
