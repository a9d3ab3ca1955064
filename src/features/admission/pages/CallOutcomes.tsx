import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import type { TodoRow } from '#kit/browser/feature.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { focusNextActRow } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { addDays } from '#kit/browser/ui/read-date.ts';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { EndReasonFields } from './EndReasonFields.tsx';

type Form = 'reached' | 'visit' | 'lost';

/** What came of a call that is due: one press, or a short form. The keys 1 to 4 press the buttons. */
export function CallOutcomes({ row: { id, title, seen = '' } }: { row: TodoRow }) {
  const { t } = useLingui();
  const toast = useToast();
  const { run, isBusy, problem } = useAction(inquiryApi.noAnswer);
  const [form, setForm] = useState<Form>();
  const close = () => setForm(undefined);
  const noAnswer = async (button: HTMLElement) => {
    focusNextActRow(button);
    const answer = await run({ id, seenOn: seen });
    if (!answer) return;
    const day = showDate(answer.nextOn);
    toast({ kind: 'success', title: t`No answer from ${title}. Next call on ${day}.` });
  };
  const shared = { hiddenValues: { id, seenOn: seen }, about: title, of: title, onClose: close };
  return (
    <>
      {problem}
      <Button data-key="1" aria-keyshortcuts="1" aria-label={t`Reached: ${title}`} onClick={() => setForm('reached')}>
        <Trans>Reached</Trans>
      </Button>
      <Button
        data-key="2"
        aria-keyshortcuts="2"
        isBusy={isBusy}
        aria-label={t`No answer: ${title}`}
        onClick={({ currentTarget }) => noAnswer(currentTarget)}
      >
        <Trans>No answer</Trans>
      </Button>
      <RowMenu name={title}>
        {(from) => (
          <>
            <Menu.Item aria-keyshortcuts="3" onClick={from(() => setForm('visit'))}>
              <Trans>Visit…</Trans>
            </Menu.Item>
            <Menu.Item aria-keyshortcuts="4" onClick={from(() => setForm('lost'))}>
              <Trans>Lost…</Trans>
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {/* What the keys press while the menu is closed. */}
      <button type="button" hidden data-key="3" onClick={() => setForm('visit')} />
      <button type="button" hidden data-key="4" onClick={() => setForm('lost')} />
      {form === 'reached' && (
        <RecordForm
          title={t`Reached`}
          endpoint={inquiryApi.reached}
          initial={{ note: '', nextOn: addDays(today(), 3) }}
          {...shared}
        >
          <TextField name="note" long />
          <DateField name="nextOn" toward="future" hasQuickDays />
        </RecordForm>
      )}
      {form === 'visit' && (
        <RecordForm title={t`Visit`} endpoint={inquiryApi.visit} initial={{ visitOn: '', note: '' }} {...shared}>
          <DateField name="visitOn" toward="future" hasQuickDays />
          <TextField name="note" long />
        </RecordForm>
      )}
      {form === 'lost' && (
        <RecordForm
          title={t`Mark as lost`}
          endpoint={inquiryApi.lostInCall}
          initial={{ reasonId: '', note: '' }}
          {...shared}
        >
          <EndReasonFields options={inquiryApi.lostReasons} />
        </RecordForm>
      )}
    </>
  );
}
