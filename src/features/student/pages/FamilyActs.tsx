import { Trans, useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { differencesOf, type SavedVersion, typedOf } from '#kit/browser/record/versions.ts';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import {
  adultFields,
  type Guardian,
  guardianApi,
  linkFields,
  localAdultFields,
  mainAdultFields,
} from '../contract/guardian.ts';
import { LocalNames } from './LocalNames.tsx';

const allFields = { ...adultFields, ...linkFields };

interface NewerGuardian extends SavedVersion {
  adultVersion: number;
}

/** Adult and link have a version each. */
const newerOf = (newer: NewerGuardian, mine: Values): Newer => ({
  values: typedOf(allFields, newer.saved),
  hiddenValues: { version: newer.version, adultVersion: newer.adultVersion },
  differences: differencesOf(allFields, newer, mine, ''),
});

/** Who may be called first. */
const mayBeFirst = ({ saved }: Guardian) => saved.role !== 'Contact' && !saved.isBarred && !saved.isDeceased;

interface Props {
  id: number;
  guardian: Guardian;
  all: readonly Guardian[];
  localLanguage: string;
}

/** What can be done with an adult of a child, in a menu at the end of the row. */
export function FamilyActs({ id, guardian, all, localLanguage }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const navigate = usePageNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<'edit' | 'instead' | 'remove' | 'mistake'>();
  const callFirst = useAction(guardianApi.callFirst);
  const remove = useAction(guardianApi.remove);
  const { name, version, adultVersion, isPrimary, saved, alsoOf } = guardian;
  const next = isPrimary ? all.find((other) => other.id !== guardian.id && mayBeFirst(other)) : undefined;
  const nextName = next?.name;
  const children = alsoOf.join(', ');
  const close = () => setOpened(undefined);
  const open = (act: typeof opened) => {
    button.current?.focus();
    setOpened(act);
  };
  const removeIt = async (closeDialog: () => void) => {
    const isMistake = opened === 'mistake';
    const answer = await remove.run({ id, guardian: guardian.id, version, nextId: next?.id ?? null, isMistake });
    if (!answer) return;
    closeDialog();
    const blocks = answer.blocks.map(translate).join(', ');
    if (blocks) toast({ kind: 'error', title: t`Not removed.`, of: name, text: t`These use the record: ${blocks}` });
    else toast({ kind: 'success', title: t`Removed.`, of: name });
  };
  return (
    <>
      {callFirst.problem}
      <Menu
        button={
          <IconButton ref={button} label={t`More for ${name}`}>
            <IconDots size={18} aria-hidden />
          </IconButton>
        }
      >
        <Menu.Item onClick={() => open('edit')}>
          <Trans>Edit…</Trans>
        </Menu.Item>
        {!isPrimary && mayBeFirst(guardian) && (
          <Menu.Item onClick={() => void callFirst.run({ id, guardian: guardian.id })}>
            <Trans>Call first</Trans>
          </Menu.Item>
        )}
        {children && (
          <Menu.Item onClick={() => open('instead')}>
            <Trans>Replace…</Trans>
          </Menu.Item>
        )}
        <Menu.Item
          onClick={() =>
            void navigate({
              to: '/school-erp/student/student-list/$studentID/guardian/$guardianID/merge',
              params: { studentID: String(id), guardianID: String(guardian.id) },
            })
          }
        >
          <Trans>Same person as…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => open('remove')}>
          <Trans>Remove…</Trans>
        </Menu.Item>
        {!children && (
          <Menu.Item onClick={() => open('mistake')}>
            <Trans>Remove (entered by mistake)…</Trans>
          </Menu.Item>
        )}
      </Menu>
      {opened === 'edit' && (
        <RecordForm
          title={t`Edit ${name}`}
          about={children && t`Changes to this adult also apply to ${children}.`}
          endpoint={guardianApi.save}
          initial={typedOf(allFields, saved)}
          hiddenValues={{ id, guardian: guardian.id, version, adultVersion }}
          newerOf={(data, mine) => newerOf(data as unknown as NewerGuardian, mine)}
          onClose={close}
        >
          <FieldControls fields={mainAdultFields} />
          <FieldControls fields={linkFields} />
          <LocalNames fields={localAdultFields} language={localLanguage} />
        </RecordForm>
      )}
      {opened === 'instead' && (
        <RecordForm
          title={t`Replace ${name} for this child`}
          about={t`${name} is still linked to ${children}.`}
          endpoint={guardianApi.instead}
          initial={{ ...emptyValuesOf(adultFields), ...typedOf(linkFields, saved) }}
          hiddenValues={{ id, guardian: guardian.id, version }}
          onClose={close}
        >
          <FieldControls fields={mainAdultFields} />
          <FieldControls fields={linkFields} />
          <LocalNames fields={localAdultFields} language={localLanguage} />
        </RecordForm>
      )}
      {(opened === 'remove' || opened === 'mistake') && (
        <AskDialog
          title={opened === 'mistake' ? t`Remove ${name}, entered by mistake?` : t`Remove ${name} from this child?`}
          confirm={<Trans>Remove</Trans>}
          isBad
          problem={remove.problem}
          onConfirm={removeIt}
          onClose={close}
        >
          {nextName && <Trans>{nextName} will be called first.</Trans>}
        </AskDialog>
      )}
    </>
  );
}
