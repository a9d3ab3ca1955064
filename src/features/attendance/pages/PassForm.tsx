import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type ExitChild, exitApi } from '../contract/exit.ts';

/** A gate pass for a child: why, and with whom. Enter makes it, and Enter again prints it. */
export function PassForm({ child, onClose }: { child: ExitChild; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const download = useDownload();
  const { attempt } = useAttempt();
  const { studentId, name, section, mark, outSince, principals } = child;
  const adults = child.adults.filter(({ isBarred }) => !isBarred);
  const barred = child.adults.filter(({ isBarred }) => isBarred);
  const first = adults.find(({ mayCollect }) => mayCollect);
  const [chosen, choose] = useState(first ? String(first.guardianId) : '');
  const adult = adults.find(({ guardianId }) => String(guardianId) === chosen);
  const [only] = principals.length === 1 ? principals : [];
  const tell = ({ id, passNo, mark, isTold }: OutputOf<typeof exitApi.leave>) => {
    const marked =
      mark === 'Half day'
        ? t`The mark is Half day now.`
        : mark === 'Correction requested'
          ? t`The register is locked: a correction to Half day is requested.`
          : '';
    toast({
      kind: isTold ? 'success' : 'warning',
      title: t`Gate pass ${passNo} for ${name}`,
      text: [isTold ? '' : t`No adult gets messages about this child. Call the family.`, marked]
        .filter(Boolean)
        .join(' '),
      actions: [
        {
          label: t`Print`,
          shortcut: 'Enter',
          act: () => void attempt(() => download(exitApi.slip, { id }, `${passNo.replaceAll('/', '-')}.pdf`)),
        },
      ],
    });
  };
  return (
    <RecordForm
      title={t`Gate pass`}
      about={`${name}, ${section}`}
      endpoint={exitApi.leave}
      initial={{
        ...{ leftAt: '', reason: '', guardianId: chosen, person: '', relation: '' },
        ...{ allowedBy: only ? String(only.staffId) : '', allowedWhy: '' },
      }}
      hiddenValues={{
        studentId,
        ...(adult && { person: '', relation: '' }),
        ...(adult?.mayCollect && { allowedBy: '' }),
      }}
      words={<Trans>Make the pass</Trans>}
      saved={null}
      onDone={tell}
      onClose={onClose}
      notice={
        <>
          {mark && (
            <Notice>
              <Trans>Marked as {mark} today.</Trans>
            </Notice>
          )}
          {outSince && (
            <Notice>
              <Trans>Left at {outSince} already. Enter the return first.</Trans>
            </Notice>
          )}
          {barred.length > 0 && (
            <Notice kind="bad">
              <Trans>
                May never collect this child: {barred.map((one) => `${one.name} (${one.relation})`).join(', ')}
              </Trans>
            </Notice>
          )}
        </>
      }
    >
      <TextField name="reason" required />
      <SelectField
        name="guardianId"
        required
        placeholder={t`Another person`}
        onChange={choose}
        options={adults.map(({ guardianId, mayCollect, ...one }) => ({
          value: String(guardianId),
          label: mayCollect
            ? `${one.name} (${one.relation})`
            : t`${one.name} (${one.relation}), if the principal allows it`,
        }))}
      />
      {!adult && (
        <>
          <TextField name="person" required />
          <TextField name="relation" required />
        </>
      )}
      {!adult?.mayCollect && (
        <>
          <SelectField
            name="allowedBy"
            required
            options={principals.map(({ staffId, name }) => ({ value: String(staffId), label: name }))}
          />
          <TextField name="allowedWhy" required />
        </>
      )}
      <TextField name="leftAt" hint={t`Empty: now. Such as 12:10.`} />
    </RecordForm>
  );
}
