import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { setWords } from '#access/contract/grants.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { type Fact, Facts } from '#kit/browser/record/Facts.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { channels, type StaffAccount, staffAccountApi } from '../contract/staff-account.ts';
import { DerivedRights, Grants } from '../ui/Grants.tsx';

interface Props {
  record: StaffRecord;
}

/** The account of a person, for Admins. */
export function AccountCard({ record }: Props) {
  const query = useRead(staffAccountApi.account, { id: record.id });
  return (
    <RecordCard title={<Trans>Account</Trans>}>
      <QueryBoundary query={query}>
        {({ account }) => (account ? <Known record={record} account={account} /> : <Without record={record} />)}
      </QueryBoundary>
    </RecordCard>
  );
}

function Without({ record }: Props) {
  return (
    <>
      <p>
        <Trans>No account. An invitation creates one, to sign in with a one-time code.</Trans>
      </p>
      <CardButtons>
        <Invite record={record} />
      </CardButtons>
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
  const { userName, roles, isActive, endsOn, sets, branches, derived, lastSignInAt, devices } = account;
  const held = sets.map((set) => translate(setWords[set].name)).join(', ');
  const facts: Fact[] = [
    { label: t`Status`, value: <Status account={account} /> },
    { label: t`Role`, value: roles.map(translateOption).join(', ') },
    { label: t`Username`, value: userName },
    { label: t`Permissions`, value: held || t`None` },
    { label: t`Branches`, value: held && (branches.map((branch) => branch.name).join(', ') || t`All`) },
    { label: t`By assignment`, value: derived.length > 0 && <DerivedRights derived={derived} /> },
    { label: t`Last sign-in`, value: lastSignInAt ? showMoment(lastSignInAt) : t`Never` },
    { label: t`Signed-in devices`, value: String(devices) },
    { label: t`Signs in until`, value: isActive && endsOn && showDate(endsOn) },
  ];
  return (
    <>
      <Facts facts={facts} />
      <CardButtons>
        {isActive && roles.includes('Staff') && (
          <>
            <Permissions record={record} account={account} />
            <Invite record={record} account={account} />
          </>
        )}
        <Suspend record={record} account={account} />
      </CardButtons>
      <Text mt={20}>
        <PageLink to="/school-erp/sign-in/account" search={{ search: userName || card.email || name }}>
          <Trans>Edit username and role</Trans>
        </PageLink>
      </Text>
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
    toast({ kind: 'success', title: isSuspended ? t`Account suspended.` : t`Account restored.`, of: name });
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
  const [isOpen, setOpen] = useState(false);
  const { name } = record.card;
  const { email = '', mobile = '' } = record.person ?? {};
  return (
    <>
      <Button kind={account ? 'plain' : 'main'} onClick={() => setOpen(true)}>
        {account ? <Trans>Invite again…</Trans> : <Trans>Invite…</Trans>}
      </Button>
      {isOpen && (
        <RecordForm
          title={t`Invite ${name}`}
          endpoint={staffAccountApi.invite}
          initial={{ channel: email ? 'Email' : mobile ? 'SMS' : '', sets: [], branchIds: [] }}
          hiddenValues={{ id: record.id }}
          words={<Trans>Send invitation</Trans>}
          saved={t`Invitation sent.`}
          onClose={() => setOpen(false)}
        >
          <RadioField name="channel" options={channels} hint={[email, mobile].filter(Boolean).join(', ')} />
          {!account && <Grants />}
        </RecordForm>
      )}
    </>
  );
}

function Permissions({ record: { id, card }, account: { version, sets, branches } }: KnownProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const title = t`Permissions of ${card.name}`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Permissions…</Trans>
      </Button>
      {isOpen && (
        <RecordForm
          title={title}
          endpoint={staffAccountApi.grant}
          initial={{ sets, branchIds: branches.map((branch) => branch.id) }}
          hiddenValues={{ id, version }}
          onClose={() => setOpen(false)}
        >
          <Grants />
        </RecordForm>
      )}
    </>
  );
}
