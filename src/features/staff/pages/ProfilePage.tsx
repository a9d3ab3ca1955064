import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { setWords } from '#features/account/contract/access.ts';
import { needsPassword } from '#features/sign-in/contract/contact.ts';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import { deviceOf, type Session, sessionApi } from '#features/sign-in/contract/session.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { PasswordField } from '#kit/browser/form/fields.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { noPicture, type Profile, staffApi } from '../contract/staff.ts';
import { ChangeContact } from './ChangeContact.tsx';
import styles from './ProfilePage.module.css';

/** /school-erp/staff/view-staff/{userID}: one's own profile, or a colleague's card. */
export function ProfilePage() {
  const { userID } = useParams({ strict: false }) as { userID: string };
  const { t } = useLingui();
  const profile = useRead(staffApi.profile, { userID });
  const title = profile.data?.name ?? (profile.error ? t`Profile` : undefined);
  return (
    <>
      {title && <PageHead title={title} />}
      <div id="problems" />
      <QueryBoundary query={profile}>
        {(found) => (
          <>
            <Card profile={found} />
            {found.isOwn && <Picture profile={found} />}
            {found.isOwn && found.account?.hasPassword && <Password needsPassword={found.account.needsPassword} />}
            {found.isOwn && <Sessions />}
          </>
        )}
      </QueryBoundary>
    </>
  );
}

/** Shown to an Admin who signed in with a code, in place of the edit buttons. */
const NeedsPassword = () => <p className="hint">{translate(needsPassword)}</p>;

function Card({ profile: { name, picture, email, account, isOwn, isEditable } }: { profile: Profile }) {
  const { t } = useLingui();
  const change = (channel: 'email' | 'mobile', value: string) =>
    isOwn && (account?.needsPassword ? <NeedsPassword /> : <ChangeContact channel={channel} isSet={value !== ''} />);
  const facts = [
    [t`Email address`, email && <BreakableText text={email} />, change('email', email)],
    ...(account
      ? [
          [t`Mobile number`, account.mobile, change('mobile', account.mobile)],
          [t`Username`, account.userName],
          [t`Role`, account.roles.map(translateOption).join(', ')],
          [t`Permissions`, account.sets.map((set) => translate(setWords[set].name)).join(', ')],
        ]
      : []),
  ].filter(([, value, action]) => value !== '' || action) as [string, ReactNode, ReactNode][];
  return (
    <section className="sheet">
      {picture && <img className={styles.portrait} src={picture} alt={name} width={96} height={96} />}
      <dl className="facts">
        {facts.map(([label, value, action]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value || (
                <span className="soft">
                  <Trans>Not set</Trans>
                </span>
              )}{' '}
              {action}
            </dd>
          </div>
        ))}
      </dl>
      {account && (
        <p className="soft">
          {isEditable ? (
            <PageLink to="/school-erp/sign-in/account" search={{ search: account.userName || email || name }}>
              <Trans>Edit username, role and permissions</Trans>
            </PageLink>
          ) : (
            <Trans>To correct these details, ask an Admin.</Trans>
          )}
        </p>
      )}
    </section>
  );
}

interface SheetProps {
  title: ReactNode;
  /** The label of its only field says the same. */
  isTitleHidden?: boolean;
  children: ReactNode;
}

const Sheet = ({ title, isTitleHidden, children }: SheetProps) => (
  <section className="sheet">
    {isTitleHidden ? <VisuallyHidden as="h2">{title}</VisuallyHidden> : <h2>{title}</h2>}
    {children}
  </section>
);

function Picture({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const router = useRouter();
  const client = useQueryClient();
  const toast = useToast();
  return (
    <Sheet title={<Trans>Picture</Trans>} isTitleHidden>
      <ApiForm
        endpoint={staffApi.savePicture}
        initial={{}}
        resetsAfterSend
        validate={(_, files): FieldErrors => (files.picture ? {} : { picture: noPicture })}
        onDone={async () => {
          await client.invalidateQueries({ queryKey: ['sign-in'] });
          await router.invalidate(); // The header shows it too.
          toast({ kind: 'success', title: t`Saved.` });
        }}
        label={t`Picture`}
        buttons={(isSending) => (
          <>
            <UploadStatus />
            <Button type="submit" isBusy={isSending}>
              <Trans>Save picture</Trans>
            </Button>
          </>
        )}
      >
        <UploadField
          name="picture"
          hint={<Trans>PNG or JPG, at most 2 MB.</Trans>}
          stored={profile.picture || undefined}
        />
      </ApiForm>
    </Sheet>
  );
}

function Password({ needsPassword }: { needsPassword: boolean }) {
  return <Sheet title={<Trans>Password</Trans>}>{needsPassword ? <NeedsPassword /> : <PasswordForm />}</Sheet>;
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

function Sessions() {
  const { t } = useLingui();
  const sessions = useRead(sessionApi.list, {});
  const end = useAction(sessionApi.end);
  const endOthers = useAction(sessionApi.endOthers);
  const nameOf = ({ device, seenAt }: Session) => `${deviceOf(device)}, ${showMoment(seenAt)}`;
  return (
    <Sheet title={<Trans>Signed-in devices</Trans>}>
      <QueryBoundary query={sessions}>
        {(list) => (
          <>
            {end.problem}
            {endOthers.problem}
            <ListRows
              className={styles.sessions}
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
    </Sheet>
  );
}
