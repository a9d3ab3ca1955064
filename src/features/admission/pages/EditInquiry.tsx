import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { fieldInfo, isRealDate } from '#kit/contract/fields.ts';
import { type InquiryRecord, inquiryApi, inquiryFields } from '../contract/inquiry.ts';
import { InquiryFields } from './InquiryFields.tsx';

interface Props {
  record: InquiryRecord;
  close: () => void;
  isChanged: RefObject<boolean>;
}

interface Newer {
  saved: InquiryRecord;
  mine: Values;
}

/** Edits an inquiry; who saves second chooses between both versions. */
export function EditInquiry({ record, close, isChanged }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [start, setStart] = useState({ values: asTyped(record), version: record.version, take: 0 });
  const [newer, setNewer] = useState<Newer>();
  const choose = (values: Values, { version }: InquiryRecord) => {
    setStart(({ take }) => ({ values, version, take: take + 1 }));
    setNewer(undefined);
  };
  return (
    <>
      {newer && <NewerInquiry newer={newer} onChoose={choose} />}
      <ApiForm
        // The form starts again from the version that is chosen.
        key={start.take}
        endpoint={inquiryApi.update}
        label={t`Inquiry`}
        initial={start.values}
        hiddenValues={{ id: record.id, version: start.version }}
        onStale={({ data }, mine) => setNewer({ saved: (data as { saved: InquiryRecord }).saved, mine })}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, hasChanged) => {
          // A version chosen after a conflict is not saved either.
          isChanged.current = hasChanged || start.take > 0;
          return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
        }}
      >
        <InquiryFields />
      </ApiForm>
    </>
  );
}

type Name = keyof InquiryRecord['values'];

const asTyped = ({ values }: InquiryRecord): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? '' : String(value)]));

interface NewerProps {
  newer: Newer;
  onChoose: (values: Values, saved: InquiryRecord) => void;
}

function NewerInquiry({ newer: { saved, mine }, onChoose }: NewerProps) {
  const { t } = useLingui();
  const values = asTyped(saved);
  const chosen: Partial<Record<Name, string>> = {
    academicYearId: saved.academicYear,
    programId: saved.program,
    gradeId: saved.grade,
    leadSourceId: saved.leadSource,
    assignedToId: saved.assignedTo,
  };
  const differences = (Object.keys(values) as Name[])
    .filter((name) => String(values[name]) !== String(mine[name] ?? ''))
    .map((name) => {
      const label = fieldInfo.get(inquiryFields[name])?.label;
      return {
        label: label ? translate(label) : name,
        saved: chosen[name] ?? shown(name, values[name]),
        mine: name in chosen ? t`As chosen below` : shown(name, mine[name]),
      };
    });
  return (
    <TwoVersions
      differences={differences}
      onSaved={() => onChoose(values, saved)}
      onMine={() => onChoose(mine, saved)}
    />
  );
}

function shown(name: Name, value: Values[string]): string {
  const typed = String(value ?? '');
  if (name === 'gender' || name === 'quota') return translateOption(typed);
  return isRealDate(typed) ? showDate(typed) : typed;
}
