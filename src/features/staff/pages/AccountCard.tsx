import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef, useState } from 'react';
import { grantedSets, setWords } from '#features/account/contract/access.ts';
import { Sets } from '#features/account/ui/Sets.tsx';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { channels, type StaffAccount, staffAccountApi } from '../contract/account.ts';
import type { StaffRecord } from '../contract/record.ts';
import styles from './AccountCard.module.css';

interface Props {
  record: StaffRecord;
}

/** The account of a person, for Admins. */
export function AccountCard({ record }: Props) {
  // Others may not read it, and a refused request would stand in the audit log.
  const me = useRead(signInApi.me, {});
  return me.data?.role === 'Admin' ? <Card record={record} /> : null;
}

function Card({ record }: Props) {
  const { t } = useLingui();
  const query = useRead(staffAccountApi.account, { id: record.id });
  return (
    <section className="sheet" aria-label={t`Account`}>
      <h2>
        <Trans>Account</Trans>
      </h2>
      <QueryBoundary query={query}>
        {({ account }) => (account ? <Known record={record} account={account} /> : <Without record={record} />)}
      </QueryBoundary>
    </section>
  );
}

function Without({ record }: Props) {
  return (
    <>
      <p>
        <Trans>No account. An invitation creates one, to sign in with a one-time code.</Trans>
      </p>
      <Invite record={record} />
    </>
  );
}

interface KnownProps extends Props {
  account: NonNullable<StaffAccount['account']>;
}

function Known({ record, account }: KnownProps) {
  const { t } = useLingui();
  const { card } = record;
  const { name } = card;
  const { userName, roles, isActive, endsOn, sets, lastSignInAt, devices } = account;
  const held = sets.map((set) => translate(setWords[set].name)).join(', ');
  const facts: [string, ReactNode][] = [
    [t`Status`, <Status key="status" account={account} />],
    [t`Role`, roles.map(translateOption).join(', ')],
    ...(userName ? [[t`Username`, userName] as [string, ReactNode]] : []),
    [t`Permissions`, held || t`None`],
    [t`Last sign-in`, lastSignInAt ? showMoment(lastSignInAt) : t`Never`],
    [t`Signed-in devices`, devices],
    ...(isActive && endsOn ? [[t`Signs in until`, showDate(endsOn)] as [string, ReactNode]] : []),
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.acts}>
        {isActive && roles.includes('Staff') && (
          <>
            <Permissions record={record} account={account} />
            <Invite record={record} account={account} />
          </>
        )}
        <Suspend record={record} account={account} />
      </div>
      <p className={classNames('soft', styles.more)}>
        <PageLink to="/school-erp/sign-in/account" search={{ search: userName || card.email || name }}>
          <Trans>Edit username and role</Trans>
        </PageLink>
      </p>
    </>
  );
}

function Status({ account: { isActive, endsOn, lastSignInAt } }: Pick<KnownProps, 'account'>) {
  const hasEnded = endsOn !== '' && endsOn < today();
  if (!isActive) return <Chip kind="bad">{hasEnded ? <Trans>Access ended</Trans> : <Trans>Suspended</Trans>}</Chip>;
  if (!lastSignInAt)
    return (
      <Chip kind="warn">
        <Trans>Never signed in</Trans>
      </Chip>
    );
  return (
    <Chip kind="good">
      <Trans>Signs in</Trans>
    </Chip>
  );
}

/** Suspends the account after a question, or restores it. */
function Suspend({ record: { id, card }, account: { version, isActive } }: KnownProps) {
  const { t } = useLingui();
  const { name } = card;
  const toast = useToast();
  const suspend = useAction(staffAccountApi.suspend);
  const run = async (isSuspended: boolean) => {
    if (!(await suspend.run({ id, version, isSuspended }))) return;
    toast({ kind: 'success', title: isSuspended ? t`Account suspended.` : t`Account restored.` });
  };
  return (
    <>
      {isActive ? (
        <ConfirmButton
          name={t`Suspend the account of ${name}`}
          label={<Trans>Suspend…</Trans>}
          question={<Trans>{name} is signed out of all devices and can’t sign in until you restore the account.</Trans>}
          confirm={<Trans>Suspend</Trans>}
          onConfirm={() => void run(true)}
        />
      ) : (
        <Button isBusy={suspend.isBusy} onClick={() => void run(false)}>
          <Trans>Restore</Trans>
        </Button>
      )}
      {suspend.problem}
    </>
  );
}

function Invite({ record, account }: Props & { account?: KnownProps['account'] }) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const isChanged = useRef(false);
  const { name } = record.card;
  const { email = '', mobile = '' } = record.person ?? {};
  return (
    <>
      <Button kind={account ? 'plain' : 'main'} onClick={() => setOpen(true)}>
        {account ? <Trans>Invite again…</Trans> : <Trans>Invite…</Trans>}
      </Button>
      {isOpen && (
        <SideDialog title={t`Invite ${name}`} isChanged={isChanged} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={staffAccountApi.invite}
              label={t`Invite ${name}`}
              initial={{ channel: email ? 'Email' : mobile ? 'SMS' : '', sets: [] }}
              hiddenValues={{ id: record.id }}
              onDone={() => {
                close();
                toast({ kind: 'success', title: t`Invitation sent.` });
              }}
              buttons={(isSending, hasChanged) => {
                isChanged.current = hasChanged;
                return <FormButtons isSending={isSending} close={close} words={<Trans>Send invitation</Trans>} />;
              }}
            >
              <RadioField name="channel" options={channels} hint={[email, mobile].filter(Boolean).join(', ')} />
              {!account && <Sets />}
            </ApiForm>
          )}
        </SideDialog>
      )}
    </>
  );
}

function Permissions({ record: { id, card }, account: { version, sets } }: KnownProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const isChanged = useRef(false);
  const title = t`Permissions of ${card.name}`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Permissions…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} isChanged={isChanged} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={staffAccountApi.grant}
              label={title}
              initial={{ sets: grantedSets.filter((set) => sets.includes(set)) }}
              hiddenValues={{ id, version }}
              onDone={() => {
                close();
                toast({ kind: 'success', title: t`Saved.` });
              }}
              buttons={(isSending, hasChanged) => {
                isChanged.current = hasChanged;
                return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
              }}
            >
              <Sets />
            </ApiForm>
          )}
        </SideDialog>
      )}
    </>
  );
}
