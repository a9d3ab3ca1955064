import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldInfo, isRealDate } from '#kit/contract/fields.ts';
import { type InquiryRecord, inquiryApi, inquiryFields } from '../contract/inquiry.ts';
import { InquiryFields } from './InquiryFields.tsx';

interface Props {
  record: InquiryRecord;
  close: () => void;
  isChanged: RefObject<boolean>;
}

/** Edits an inquiry. */
export function EditInquiry({ record, ...dialog }: Props) {
  const { t } = useLingui();
  return (
    <EditForm
      endpoint={inquiryApi.update}
      label={t`Inquiry`}
      initial={asTyped(record)}
      hiddenValues={{ id: record.id, version: record.version }}
      newerOf={(data, mine) => newerOf(data.saved as InquiryRecord, mine, t`As chosen below`)}
      {...dialog}
    >
      <InquiryFields />
    </EditForm>
  );
}

type Name = keyof InquiryRecord['values'];

const asTyped = ({ values }: InquiryRecord): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? '' : String(value)]));

/** `asChosen` stands for an own choice from a list, of which the form has only the id. */
function newerOf(saved: InquiryRecord, mine: Values, asChosen: string): Newer {
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
        mine: name in chosen ? asChosen : shown(name, mine[name]),
      };
    });
  return { values, hiddenValues: { version: saved.version }, differences };
}

function shown(name: Name, value: Values[string]): string {
  const typed = String(value ?? '');
  if (name === 'gender' || name === 'quota') return translateOption(typed);
  return isRealDate(typed) ? showDate(typed) : typed;
}
