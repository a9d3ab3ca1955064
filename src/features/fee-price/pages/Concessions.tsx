import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import type { Address } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type ConcessionState, concessionApi, concessionList } from '../contract/concession.ts';
import { EndConcession, RequestConcession } from './ConcessionForm.tsx';

type ConcessionRow = RowOf<typeof concessionList>;
type Open = { what: 'request' } | { what: 'end' | 'history'; row: ConcessionRow };

const kinds: Record<ConcessionState, ChipKind> = {
  Suggested: 'plain',
  Requested: 'info',
  Approved: 'good',
  Rejected: 'bad',
  Revoked: 'plain',
};

interface Props {
  /** The state that the tab shows; empty for every state. */
  status: ConcessionState | '';
}

/** The concessions of students: all of them, those that wait for a decision, or those that are suggested. */
export function Concessions({ status }: Props) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>();
  const mayAsk = useMay(concessionApi.request);
  const onClose = () => setOpen(undefined);
  const usual: Address = status ? { status } : {};
  const empty: Record<ConcessionState | '', ReactNode> = {
    '': <Trans>No student has a concession yet.</Trans>,
    Requested: <Trans>No concession is waiting for a decision.</Trans>,
    Suggested: <Trans>No suggestions. They are renewed each morning from families and categories.</Trans>,
    Approved: null,
    Rejected: null,
    Revoked: null,
  };
  return (
    <>
      <RecordList
        key={status}
        list={concessionList}
        usual={usual}
        open={(row) => () => setOpen({ what: 'history', row })}
        cells={{
          takesOff: ({ value }) => translate(value),
          status: (row) => <Status kind={kinds[row.status as ConcessionState]}>{translateOption(row.status)}</Status>,
        }}
        notice={
          status === 'Requested' && (
            <p className="soft">
              <Trans>
                A second person decides on them in <PageLink to="/school-erp/approval/inbox">Approvals</PageLink>.
              </Trans>
            </p>
          )
        }
        actions={(row, from) => (
          <>
            {row.may.end && (
              <Menu.Item onClick={from(() => setOpen({ what: 'end', row }))}>
                <Trans>End…</Trans>
              </Menu.Item>
            )}
            <Menu.Item onClick={from(() => setOpen({ what: 'history', row }))}>
              <Trans>History</Trans>
            </Menu.Item>
          </>
        )}
        onAdd={mayAsk ? () => setOpen({ what: 'request' }) : undefined}
        bulk={
          mayAsk && status === 'Suggested'
            ? (selection, clear) => <GrantMany selection={selection} clear={clear} />
            : undefined
        }
        empty={{
          message: empty[status],
          children: mayAsk && status !== 'Suggested' && (
            <Button onClick={() => setOpen({ what: 'request' })}>{t`Ask for a concession`}</Button>
          ),
        }}
      />
      {open?.what === 'request' && <RequestConcession onClose={onClose} />}
      {open?.what === 'end' && <EndConcession row={open.row} onClose={onClose} />}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={concessionApi.history}
          id={open.row.id}
          displayName={`${open.row.student}, ${open.row.discount}`}
          onClose={onClose}
        />
      )}
    </>
  );
}

function GrantMany({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(concessionApi.grantMany);
  return (
    <>
      <Button onClick={() => preview.show({ selection })}>
        <Trans>Grant</Trans>
      </Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={t`Grant suggested concessions`}
        effect={(count) => <Plural value={count} one="# concession is granted." other="# concessions are granted." />}
        confirm={<Trans>Grant</Trans>}
        done={t`Concessions granted`}
        onApplied={clear}
      />
    </>
  );
}
