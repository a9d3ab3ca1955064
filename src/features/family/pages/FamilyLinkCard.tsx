import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { StudentHead } from '#features/student/contract/record.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Language, languages } from '#kit/contract/languages.ts';
import { contactApi } from '../contract/contact.ts';
import { type LinkOfChild, linkApi } from '../contract/link.ts';
import { useHandOver } from './HandOver.tsx';
import { LinkStatus } from './LinkStatus.tsx';
import { SentMessages } from './SentMessages.tsx';

/** Who sees this child on the family page, and the links to it. */
export function FamilyLinkCard({ record }: { record: StudentHead }) {
  const { t } = useLingui();
  const links = useRead(linkApi.ofStudent, { id: record.id });
  return (
    <RecordCard isWide title={<Trans>Family page</Trans>}>
      <QueryBoundary query={links}>
        {({ guardians, languages: offered }) =>
          guardians.length === 0 ? (
            <EmptyState message={<Trans>No guardian yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Family page`}
              heads={[t`Name`, t`Sees`, t`Link`, t`Last opened`, t`Reads`]}
              rows={guardians.map((guardian) => ({
                key: guardian.id,
                cells: [
                  `${guardian.name}, ${guardian.relation}`,
                  <Sees key="sees" sees={guardian.sees} />,
                  <State key="state" {...guardian} />,
                  guardian.openedOn && showDate(guardian.openedOn),
                  guardian.language && languages[guardian.language].name,
                ],
                actions: isReader(guardian) ? (
                  <Acts studentId={record.id} guardian={guardian} offered={offered} />
                ) : undefined,
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

const isReader = ({ sees }: LinkOfChild) => sees === 'All' || sees === 'School matters';

function Sees({ sees }: Pick<LinkOfChild, 'sees'>) {
  const { t } = useLingui();
  const words: Record<LinkOfChild['sees'], string> = {
    All: t`Everything`,
    'School matters': t`School matters, without fees and bus`,
    Contact: t`Nothing: only a contact`,
    Barred: t`Nothing: barred from contact`,
    Deceased: t`Nothing: deceased`,
    'Not here': t`Nothing: the child is not here today`,
  };
  return words[sees];
}

function State({ state, until, revokedReason, phones, undoDay, asked }: LinkOfChild) {
  const day = until && showDate(until);
  const usedOn = phones.usedOn && showDate(phones.usedOn);
  const changedOn = undoDay && showDate(undoDay);
  return (
    <>
      <LinkStatus state={state} />
      {state === 'Works' && (
        <div className="soft">
          <Trans>until {day}</Trans>
        </div>
      )}
      {state === 'Revoked' && <div className="soft">{revokedReason}</div>}
      {phones.count > 0 && (
        <div className="soft">
          <Plural value={phones.count} one="# proven phone" other="# proven phones" />
          {', '}
          <Trans>last used on {usedOn}</Trans>
        </div>
      )}
      {undoDay && (
        <div className="soft">
          <Trans>Changed the number or address on {changedOn}</Trans>
        </div>
      )}
      {asked && (
        <div className="soft">
          <Trans>Asks for a new number or address: {asked}</Trans>
        </div>
      )}
    </>
  );
}

interface ActsProps {
  studentId: number;
  guardian: LinkOfChild;
  offered: readonly Language[];
}

/** Sends the link; what else can be done with it is in a menu at the end of the row. */
function Acts({ studentId, guardian, offered }: ActsProps) {
  const { t } = useLingui();
  const { id, name, state, sees, hasContact, undoId, asked } = guardian;
  const toast = useToast();
  const send = useAction(linkApi.send);
  const renew = useAction(linkApi.renew);
  const undo = useAction(contactApi.undo);
  const download = useDownload();
  const { attempt, problem: paperProblem } = useAttempt();
  const setReach = useAction(linkApi.setReach);
  const handOver = useHandOver(guardian);
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<'reach' | 'language' | 'renew' | 'revoke' | 'undo' | 'sent'>();
  const open = (act: typeof opened) => {
    button.current?.focus();
    setOpened(act);
  };
  const close = () => setOpened(undefined);
  const told = (done: unknown) => {
    if (done) toast({ kind: 'success', title: t`Sent.` });
    return done;
  };
  const isAll = sees === 'All';
  return (
    <Row gap="0 4" align="center" justify="end" wrap>
      {send.problem}
      {handOver.problem}
      {paperProblem}
      {hasContact ? (
        <Button kind="quiet" isBusy={send.isBusy} onClick={() => void send.run({ id, channel: 'SMS' }).then(told)}>
          <Trans>Send link</Trans>
        </Button>
      ) : (
        <span className="soft">
          <Trans>No email address and no mobile number</Trans>
        </span>
      )}
      <Menu
        button={
          <IconButton ref={button} label={t`More for the link of ${name}`}>
            <IconDots size={18} aria-hidden />
          </IconButton>
        }
      >
        <Menu.Item
          onClick={() => {
            button.current?.focus();
            void handOver.show();
          }}
        >
          <Trans>Copy…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => open('reach')}>
          {isAll ? <Trans>Limit what {name} sees…</Trans> : <Trans>Show everything to {name}…</Trans>}
        </Menu.Item>
        <Menu.Item onClick={() => open('sent')}>
          <Trans>Messages…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => open('language')}>
          <Trans>Language…</Trans>
        </Menu.Item>
        {asked && (
          <Menu.Item onClick={() => void attempt(() => download(contactApi.paper, { id }, t`contact-paper`))}>
            <Trans>Paper of the new number…</Trans>
          </Menu.Item>
        )}
        {undoId > 0 && (
          <Menu.Item onClick={() => open('undo')}>
            <Trans>Put the earlier number or address back…</Trans>
          </Menu.Item>
        )}
        {(state === 'Works' || state === 'Expired') && (
          <>
            <Menu.Item onClick={() => open('renew')}>
              <Trans>New link…</Trans>
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => open('revoke')}>
              <Trans>Revoke…</Trans>
            </Menu.Item>
          </>
        )}
      </Menu>
      {handOver.dialog}
      {opened === 'sent' && <SentMessages id={id} name={name} onClose={close} />}
      {opened === 'language' && (
        <RecordForm
          title={t`Language of messages to ${name}`}
          endpoint={linkApi.setLanguage}
          initial={{ language: guardian.language }}
          hiddenValues={{ id, version: guardian.languageVersion }}
          onClose={close}
        >
          <SelectField name="language" options={offered.map((value) => ({ value, label: languages[value].name }))} />
        </RecordForm>
      )}
      {opened === 'reach' && (
        <AskDialog
          title={
            isAll
              ? t`Show ${name} neither fees nor bus of this child?`
              : t`Show ${name} fees and bus of this child too?`
          }
          confirm={<Trans>Save</Trans>}
          problem={setReach.problem}
          onConfirm={async (closeDialog) => {
            const reach = isAll ? 'School matters' : 'All';
            if (await setReach.run({ id: studentId, guardianId: id, reach })) closeDialog();
          }}
          onClose={close}
        />
      )}
      {opened === 'undo' && (
        <AskDialog
          title={t`Put the earlier number or address of ${name} back? Links and phones of the new one end at once.`}
          confirm={<Trans>Put back</Trans>}
          problem={undo.problem}
          onConfirm={async (closeDialog) => {
            if (await undo.run({ id, changeId: undoId })) closeDialog();
          }}
          onClose={close}
        />
      )}
      {opened === 'renew' && (
        <AskDialog
          title={t`Send ${name} a new link? The earlier one and proven phones end at once.`}
          confirm={<Trans>Send</Trans>}
          problem={renew.problem}
          onConfirm={async (closeDialog) => {
            if (told(await renew.run({ id, channel: 'SMS' }))) closeDialog();
          }}
          onClose={close}
        />
      )}
      {opened === 'revoke' && (
        <RecordForm
          title={t`Revoke the link and the phones of ${name}`}
          words={<Trans>Revoke</Trans>}
          endpoint={linkApi.revoke}
          initial={{ reason: '' }}
          hiddenValues={{ id }}
          saved={t`Revoked.`}
          onClose={close}
        >
          <TextField name="reason" />
        </RecordForm>
      )}
    </Row>
  );
}
