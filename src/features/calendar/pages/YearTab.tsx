import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { MasterRow } from '#kit/contract/master.ts';
import { yearMaster } from '../contract/masters.ts';
import { rollOverApi } from '../contract/roll-over.ts';
import { RollOver } from './RollOver.tsx';

interface Open {
  what: 'roll over' | 'discard';
  row: MasterRow;
}

export function YearTab() {
  const { t } = useLingui();
  const toast = useToast();
  const discard = useAction(rollOverApi.discard);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const wanted = open?.row;
  return (
    <>
      <MasterPage
        master={yearMaster}
        extraActions={(row, from) => (
          <>
            <Menu.Item onClick={from(() => setOpen({ what: 'roll over', row }))}>
              <Trans>Copy to a new year…</Trans>
            </Menu.Item>
            {row.phase !== 'Planned' && (
              <Menu.Item
                renderRoot={(props) => (
                  <PageLink
                    to="/school-erp/academic/year-end"
                    search={row.phase === 'Closed' ? { tab: 'closed' } : { year: String(row.id) }}
                    {...props}
                  />
                )}
              >
                {row.phase === 'Closed' ? <Trans>Closed years</Trans> : <Trans>Close the year…</Trans>}
              </Menu.Item>
            )}
            {row.phase === 'Planned' && row.usedBy > 0 && (
              <Menu.Item onClick={from(() => setOpen({ what: 'discard', row }))}>
                <Trans>Delete with all its data</Trans>
              </Menu.Item>
            )}
          </>
        )}
      />
      {open?.what === 'roll over' && <RollOver from={open.row} onClose={close} />}
      {wanted && open.what === 'discard' && (
        <AskDialog
          title={t`Delete ${wanted.displayName} with all its data`}
          confirm={<Trans>Delete</Trans>}
          isBad
          problem={discard.problem}
          onClose={() => {
            close();
            discard.forget();
          }}
          onConfirm={async (shut) => {
            if (!(await discard.run({ id: wanted.id, version: wanted.version }))) return;
            shut();
            toast({ kind: 'success', title: t`Deleted.`, of: String(wanted.name) });
          }}
        >
          <Trans>
            The year’s terms, sections, calendar, subjects of grades and teacher assignments are deleted too. You can do
            this only if the year has no enrolled students and no inquiries. This can’t be undone.
          </Trans>
        </AskDialog>
      )}
    </>
  );
}
