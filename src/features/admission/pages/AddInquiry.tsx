import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { mostListed } from '#kit/browser/list/options.ts';
import { useUndoAdding } from '#kit/browser/record/removal.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { inquiryApi, messageLanguageField } from '../contract/inquiry.ts';
import { childFields, inquiryFields, officeFields } from '../contract/record.ts';
import { seatApi } from '../contract/seat.ts';
import { CaptureFields, type PresetName, presetNames } from './CaptureFields.tsx';

/** Under which this device keeps what the last inquiry was for. */
const usualName = 'inquiry-usual';

/** Several inquiries of one phone call, or of one day, share these. */
const keeps = [...presetNames, 'quota', 'assignedToId'];

/** The choices that a field offers; the same request as its own. */
const useOffered = (field: { to: { options: typeof inquiryApi.openYears } }) =>
  useRead(field.to.options, { state: 'active', limit: mostListed + 2 });

/** Adds inquiries. Fills in the only choice of a list, the last one on this device, or the year that the list shows first. */
export function AddInquiry({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const undo = useUndoAdding(inquiryApi.remove);
  const usual = readUsual(useStored(usualName));
  const offered = {
    academicYearId: useOffered(childFields.academicYearId as never),
    branchId: useOffered(childFields.branchId as never),
    programId: useOffered(childFields.programId as never),
    leadSourceId: useOffered(officeFields.leadSourceId as never),
  };
  const admissionYear = useRead(seatApi.year, {});
  if (admissionYear.isPending || presetNames.some((name) => offered[name].isPending)) return null;
  const preset = { academicYearId: String(admissionYear.data?.id ?? ''), ...usual };
  const presetOf = (name: PresetName) => {
    const { data = [] } = offered[name];
    return data.length === 1 ? data[0] : data.find(({ id }) => String(id) === preset[name]);
  };
  const found = presetNames.flatMap((name) => {
    const entry = presetOf(name);
    return entry ? { name, id: String(entry.id), words: entry.name } : [];
  });
  const places = found.filter(({ name }) => name !== 'leadSourceId');
  return (
    <RecordForm
      title={t`Add inquiry`}
      endpoint={inquiryApi.create}
      initial={{
        ...emptyValuesOf(inquiryFields),
        quota: 'General',
        hasOneName: false,
        messageLanguage: '',
        isAnotherChild: false,
        sendsForm: false,
        ...Object.fromEntries(found.map(({ name, id }) => [name, id])),
      }}
      next={{ keeps, nameFields: ['firstName', 'lastName'] }}
      actions={({ id, version }) => [
        undo({ id, version }),
        {
          label: t`Open`,
          shortcut: 'Enter',
          act: () =>
            void navigate({ to: '/school-erp/admission/inquiry/$inquiryID', params: { inquiryID: String(id) } }),
        },
      ]}
      onDone={(_, input) => {
        const values = input as Record<string, unknown>;
        store(usualName, JSON.stringify(Object.fromEntries(presetNames.map((name) => [name, values[name]]))));
      }}
      onClose={onClose}
    >
      <CaptureFields preset={places.map(({ name }) => name)} place={places.map(({ words }) => words).join(' · ')} />
      <FieldControls fields={messageLanguageField} />
    </RecordForm>
  );
}

function readUsual(kept: string | null): Partial<Record<PresetName, string>> {
  try {
    return JSON.parse(kept ?? '{}') as Partial<Record<PresetName, string>>;
  } catch {
    return {};
  }
}
