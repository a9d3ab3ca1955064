import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { type AccountRequest, accountApi } from '../contract/account.ts';
import { Rights } from './account-form.tsx';

export function AccountRequests({ rows }: { rows: AccountRequest[] }) {
  const { t } = useLingui();
  const decline = useAction(accountApi.decline);
  return (
    <RecordCard title={<Trans>Account requests</Trans>}>
      {decline.problem}
      <ListRows
        caption={<Trans>Account requests</Trans>}
        heads={[t`Name`, t`Reason`, t`Requested`]}
        rows={rows.map((request) => ({
          key: request.id,
          cells: [
            <Fragment key="name">
              <span className="list-name">{request.name}</span>
              <div className="soft">
                <BreakableText text={request.email} />
              </div>
              <div className="soft">{request.mobile}</div>
            </Fragment>,
            request.reason,
            showMoment(request.askedAt),
          ],
          actions: (
            <>
              <Approve request={request} />
              <ConfirmButton
                name={t`Decline ${request.name}`}
                label={<Trans>Decline</Trans>}
                question={<Trans>{request.name} will get an email.</Trans>}
                confirm={<Trans>Decline</Trans>}
                onConfirm={async () => {
                  if (await decline.run({ id: request.id })) backToTitle();
                }}
              />
            </>
          ),
        }))}
      />
    </RecordCard>
  );
}

function Approve({ request }: { request: AccountRequest }) {
  const { t } = useLingui();
  return (
    <FormOpener title={t`Approve ${request.name}`} label={<Trans>Approve</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Approve ${request.name}`}
          endpoint={accountApi.approve}
          initial={{ userName: '', isStaff: true, isAdmin: false, sets: [], branchIds: [] }}
          hiddenValues={{ id: request.id }}
          words={<Trans>Add account</Trans>}
          saved={null}
          onDone={backToTitle}
          onClose={onClose}
        >
          <Rights />
        </RecordForm>
      )}
    </FormOpener>
  );
}
