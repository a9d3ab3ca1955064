import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { setWords } from '#access/contract/grants.ts';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import { deviceOf, type Session, sessionApi } from '#features/sign-in/contract/session.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { PasswordField } from '#kit/browser/form/fields.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { needsPassword } from '../contract/contact.ts';
import { type OwnAccount, ownAccountApi } from '../contract/own-account.ts';
import { ChangeContact } from './ChangeContact.tsx';

/** How the user signs in, and what they may do. */
export function SignInCard({ record }: { record: StaffRecord }) {
  const account = useRead(ownAccountApi.read, {});
  return (
    <RecordCard title={<Trans>Signing in</Trans>}>
      <QueryBoundary query={account}>{(found) => <SignInFacts record={record} account={found} />}</QueryBoundary>
    </RecordCard>
  );
}

/** Shown to an Admin who signed in with a code, in place of the edit buttons. */
const NeedsPassword = () => <p className="hint">{translate(needsPassword)}</p>;

function SignInFacts({ record: { person }, account }: { record: StaffRecord; account: OwnAccount }) {
  const { t } = useLingui();
  const { email = '', mobile = '' } = person ?? {};
  const change = (channel: 'email' | 'mobile', value: string) =>
    account.needsPassword ? <NeedsPassword /> : <ChangeContact channel={channel} isSet={value !== ''} />;
  return (
    <Facts
      facts={[
        {
          label: t`Email address`,
          value: email && <BreakableText text={email} />,
          action: change('email', email),
        },
        { label: t`Mobile number`, value: mobile, action: change('mobile', mobile) },
        { label: t`Username`, value: account.userName },
        { label: t`Role`, value: account.roles.map(translateOption).join(', ') },
        { label: t`Permissions`, value: account.sets.map((set) => translate(setWords[set].name)).join(', ') },
      ]}
    />
  );
}

/** The user's own password; nothing where they have none. */
export function PasswordCard() {
  const account = useRead(ownAccountApi.read, {});
  if (!account.data?.hasPassword) return null;
  return (
    <RecordCard title={<Trans>Password</Trans>}>
      {account.data.needsPassword ? <NeedsPassword /> : <PasswordForm />}
    </RecordCard>
  );
}

function PasswordForm() {
  const { t } = useLingui();
  const toast = useToast();
  // A new form each time, so that no old password stays on the page.
  const [times, setTimes] = useState(0);
  return (
    <ApiForm
      key={times}
      endpoint={passwordApi.change}
      initial={{ password: '', newPassword: '' }}
      onDone={() => {
        setTimes(times + 1);
        toast({ kind: 'success', title: t`Saved.`, text: t`Your other devices were signed out.` });
      }}
      label={t`Password`}
      buttons={(isSending) => (
        <Button type="submit" isBusy={isSending}>
          <Trans>Change password</Trans>
        </Button>
      )}
    >
      <PasswordField name="password" label={msg`Current password`} autoComplete="current-password" />
      <PasswordField name="newPassword" autoComplete="new-password" hint={<Trans>Use 8 to 15 characters.</Trans>} />
    </ApiForm>
  );
}

/** The devices on which the user is signed in. */
export function SessionsCard() {
  const { t } = useLingui();
  const sessions = useRead(sessionApi.list, {});
  const end = useAction(sessionApi.end);
  const endOthers = useAction(sessionApi.endOthers);
  const nameOf = ({ device, seenAt }: Session) => `${deviceOf(device)}, ${showMoment(seenAt)}`;
  return (
    <RecordCard isWide title={<Trans>Signed-in devices</Trans>}>
      <QueryBoundary query={sessions}>
        {(list) => (
          <>
            {end.problem}
            {endOthers.problem}
            <ListRows
              caption={<Trans>Signed-in devices</Trans>}
              heads={[t`Device`, t`Role`, t`IP address`, t`Signed in`, t`Last used`]}
              rows={list.map((session) => ({
                key: session.number,
                cells: [
                  deviceOf(session.device),
                  translateOption(session.role),
                  session.address,
                  showMoment(session.beganAt),
                  showMoment(session.seenAt),
                ],
                actions: session.isOwn ? (
                  <span className="soft">
                    <Trans>This device</Trans>
                  </span>
                ) : (
                  <ConfirmButton
                    name={t`Sign out ${nameOf(session)}`}
                    label={<Trans>Sign out</Trans>}
                    question={<Trans>You will have to sign in again on that device.</Trans>}
                    confirm={<Trans>Sign out</Trans>}
                    onConfirm={() => end.run({ number: session.number })}
                  />
                ),
              }))}
            />
            {list.length > 1 && (
              <ConfirmButton
                name={t`Sign out other devices`}
                label={<Trans>Sign out other devices</Trans>}
                question={<Trans>You stay signed in on this device.</Trans>}
                confirm={<Trans>Sign out</Trans>}
                edge="start"
                onConfirm={() => endOthers.run({})}
              />
            )}
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}
