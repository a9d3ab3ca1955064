import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import type { SelectedNumber } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type accountActs, channels, staffAccountApi } from '../contract/staff-account.ts';
import { Sets } from '../ui/Grants.tsx';

type Act = (typeof accountActs)[number];

interface Props {
  selection: Selection;
  number: SelectedNumber;
  /** Ends the selection. */
  clear: () => void;
}

/** The acts on the accounts of the selected people, each with a preview. */
export function AccountActs({ selection, number, clear }: Props) {
  const titles = useTitles(number);
  const [asked, setAsked] = useState<Act>();
  const preview = usePreview(staffAccountApi.actOnMany);
  const close = () => setAsked(undefined);
  const show = (act: Act) => void preview.show({ selection, act, channel: '' });
  return (
    <>
      <Menu
        button={
          <Button>
            <Trans>Accounts</Trans> <IconChevronDown size={16} aria-hidden />
          </Button>
        }
      >
        <Menu.Item onClick={() => setAsked('Invite')}>
          <Trans>Invite…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => setAsked('Give permissions')}>
          <Trans>Give permissions…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => setAsked('Remove permissions')}>
          <Trans>Remove permissions…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => show('Suspend')}>
          <Trans>Suspend…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => show('Restore')}>
          <Trans>Restore…</Trans>
        </Menu.Item>
      </Menu>
      {asked && <Asked act={asked} selection={selection} preview={preview} title={titles[asked]} onClose={close} />}
      {!preview.shown && preview.problem}
      <Effect
        preview={preview}
        titles={titles}
        onApplied={() => {
          close();
          clear();
        }}
      />
    </>
  );
}

function useTitles({ count, shown }: SelectedNumber): Record<Act, string> {
  const { t } = useLingui();
  return {
    Invite: t`${plural(count, { one: `Invite ${shown} person`, other: `Invite ${shown} people` })}`,
    'Give permissions': t`${plural(count, {
      one: `Give permissions to ${shown} person`,
      other: `Give permissions to ${shown} people`,
    })}`,
    'Remove permissions': t`${plural(count, {
      one: `Remove permissions of ${shown} person`,
      other: `Remove permissions of ${shown} people`,
    })}`,
    Suspend: t`${plural(count, {
      one: `Suspend the account of ${shown} person`,
      other: `Suspend the accounts of ${shown} people`,
    })}`,
    Restore: t`${plural(count, {
      one: `Restore the account of ${shown} person`,
      other: `Restore the accounts of ${shown} people`,
    })}`,
  };
}

interface AskedProps {
  act: Act;
  selection: Selection;
  preview: Preview<typeof staffAccountApi.actOnMany>;
  title: string;
  onClose: () => void;
}

/** The channel and permissions of an act. */
function Asked({ act, selection, preview, title, onClose }: AskedProps) {
  return (
    <SideDialog title={title} onClose={onClose}>
      {(close) => (
        <ApiForm
          endpoint={staffAccountApi.actOnMany}
          label={title}
          initial={{ channel: 'Email', sets: [] }}
          hiddenValues={{ selection, act }}
          onDone={(answer, input) => preview.take(input, answer)}
          buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
        >
          {act === 'Invite' && <RadioField name="channel" options={channels} required />}
          <Sets />
        </ApiForm>
      )}
    </SideDialog>
  );
}

interface EffectProps extends Pick<AskedProps, 'preview'> {
  titles: Record<Act, string>;
  onApplied: () => void;
}

/** What an act would do, before it is done. */
function Effect({ preview, titles, onApplied }: EffectProps) {
  const { t } = useLingui();
  const act = preview.shown?.input.act as Act | undefined;
  if (!act) return null;
  const confirm = {
    Invite: <Trans>Send invitations</Trans>,
    'Give permissions': <Trans>Give permissions</Trans>,
    'Remove permissions': <Trans>Remove permissions</Trans>,
    Suspend: <Trans>Suspend</Trans>,
    Restore: <Trans>Restore</Trans>,
  };
  const done = {
    Invite: t`People invited`,
    'Give permissions': t`Permissions given to people`,
    'Remove permissions': t`Permissions removed from people`,
    Suspend: t`Accounts suspended`,
    Restore: t`Accounts restored`,
  };
  return (
    <BulkAct
      preview={preview}
      title={titles[act]}
      effect={(count) => <EffectWords act={act} count={count} />}
      confirm={confirm[act]}
      done={done[act]}
      onApplied={onApplied}
    />
  );
}

function EffectWords({ act, count }: { act: Act; count: number }) {
  if (act === 'Invite')
    return <Plural value={count} one="# person gets an invitation." other="# people get an invitation." />;
  if (act === 'Suspend')
    return (
      <Plural
        value={count}
        one="# person is signed out and can’t sign in until you restore the account."
        other="# people are signed out and can’t sign in until you restore their accounts."
      />
    );
  if (act === 'Restore')
    return <Plural value={count} one="# person can sign in again." other="# people can sign in again." />;
  return <Plural value={count} one="# account changes." other="# accounts change." />;
}
