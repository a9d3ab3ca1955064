import { Trans, useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { depositApi, depositList } from '../contract/deposit.ts';

/** The slips on which cheques went to the bank. */
export function Deposits() {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const print = (id: number, slipNo: string) =>
    void attempt(() => download(depositApi.paper, { id }, t`deposit-slip-${slipNo}.pdf`));
  return (
    <>
      {problem}
      <RecordList
        list={depositList}
        open={() => undefined}
        actions={(row, from) => (
          <Menu.Item onClick={from(() => print(row.id, row.slipNo))}>
            <Trans>Slip as a PDF</Trans>
          </Menu.Item>
        )}
        empty={{ message: <Trans>No slip yet. Select cheques under Cheques and deposit them on one slip.</Trans> }}
      />
    </>
  );
}
