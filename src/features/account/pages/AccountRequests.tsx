import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons, FormDialog } from '#kit/browser/form/FormDialog.tsx';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { type AccountRequest, accountApi } from '../contract/account.ts';
import { Rights } from './account-form.tsx';

export function AccountRequests({ rows }: { rows: AccountRequest[] }) {
  const { t } = useLingui();
  const decline = useAction(accountApi.decline);
  return (
    <section className="sheet sheet-wide">
      <h2>
        <Trans>Who asks for an account</Trans>
      </h2>
      {decline.problem}
      <CardTable
        className="list requests"
        caption={<Trans>Who asks for an account</Trans>}
        heads={[t`Name`, t`Why`, t`Asked`]}
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
                question={<Trans>They are told by e-mail that the school has not made the account.</Trans>}
                confirm={<Trans>Decline it</Trans>}
                onConfirm={async () => {
                  if (await decline.run({ id: request.id })) backToTitle();
                }}
              />
            </>
          ),
        }))}
      />
    </section>
  );
}

function Approve({ request }: { request: AccountRequest }) {
  const { t } = useLingui();
  return (
    <FormDialog title={t`Approve ${request.name}`} label={<Trans>Approve</Trans>}>
      {(close) => (
        <ApiForm
          endpoint={accountApi.approve}
          initial={{ userName: '', isStaff: true, isAdmin: false, sets: [] }}
          hiddenValues={{ id: request.id }}
          onDone={() => {
            close();
            backToTitle(); // A request that is decided is gone, and the focus with it.
          }}
          label={t`Approve ${request.name}`}
          buttons={(isSending) => (
            <FormButtons isSending={isSending} close={close} words={<Trans>Make the account</Trans>} />
          )}
        >
          <Rights />
        </ApiForm>
      )}
    </FormDialog>
  );
}
