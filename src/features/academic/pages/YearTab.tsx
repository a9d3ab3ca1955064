import { Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { AskDialog } from '#kit/browser/master/AskDialog.tsx';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { useSend } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import type { MasterRow } from '#kit/contract/master.ts';
import { yearApi, yearMaster } from '../contract/masters.ts';

/** The academic years, one of which is current. */
export function YearTab() {
  const { t } = useLingui();
  const toast = useToast();
  const makeCurrent = useSend(yearApi.makeCurrent);
  const { attempt, problem } = useAttempt();
  const [wanted, setWanted] = useState<MasterRow>();
  return (
    <>
      <MasterPage
        master={yearMaster}
        more={(row) =>
          row.status !== 'Current' &&
          row.isActive && (
            <Menu.Item onClick={() => setWanted(row)}>
              <Trans>Make it the current year</Trans>
            </Menu.Item>
          )
        }
      />
      {wanted && (
        <AskDialog
          key={wanted.id}
          title={t`Make ${wanted.called} the current year`}
          confirm={<Trans>Make it current</Trans>}
          problem={problem}
          onClose={() => setWanted(undefined)}
          onConfirm={(close) =>
            attempt(async () => {
              await makeCurrent({ id: wanted.id, version: wanted.version });
              close();
              toast({ kind: 'success', title: t`${wanted.called} is the current year.` });
            })
          }
        >
          <Trans>
            {wanted.called} becomes the current year for everybody. A year before it is closed and can then only be
            read; you can make it current again.
          </Trans>
        </AskDialog>
      )}
    </>
  );
}
