import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { addStudentApi, placeFields } from '../contract/add.ts';

/** The sections of the chosen grade with their seats, in the year of a field's day; without one, the branch and program where the student waits. */
export function Seat({ dayField }: { dayField?: string }) {
  const { values } = useApiForm();
  const day = dayField ? String(values[dayField] ?? '') : '';
  // While a day is typed, the sections of the current year stay.
  const on = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) ? day : '';
  return values.gradeId ? <SeatOf gradeId={String(values.gradeId)} on={on} /> : null;
}

function SeatOf({ gradeId, on }: { gradeId: string; on: string }) {
  const { values } = useApiForm();
  const seats = useRead(addStudentApi.seats, { gradeId, on });
  const [presetFor, setPresetFor] = useState<string>();
  // The box is there before its sections: one that came or went later would take the focus from a clerk who types on.
  return (
    <>
      {seats.error ? (
        <QueryBoundary query={seats}>{() => null}</QueryBoundary>
      ) : (
        <Sections sections={seats.data} isPreset={presetFor === gradeId} onPreset={() => setPresetFor(gradeId)} />
      )}
      {presetFor === gradeId && !values.sectionId && <FieldControls fields={placeFields} />}
    </>
  );
}

interface SectionsProps {
  sections: OutputOf<typeof addStudentApi.seats> | undefined;
  isPreset: boolean;
  onPreset: () => void;
}

/** The sections with most free seats first; the first one is chosen until the user chooses another. */
function Sections({ sections, isPreset, onPreset }: SectionsProps) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  useEffect(() => {
    if (isPreset || !sections) return;
    onPreset();
    const isChosen = sections.some(({ id }) => String(id) === String(values.sectionId ?? ''));
    const free = sections.find(({ strength, capacity }) => strength < capacity);
    if (!isChosen) change('sectionId', free ? String(free.id) : null);
  }, [sections, isPreset, onPreset, values.sectionId, change]);
  return (
    <SelectField
      name="sectionId"
      placeholder={t`Later`}
      options={(sections ?? []).map(({ id, name, branch, strength, capacity }) => ({
        value: String(id),
        label: t`${name}, ${branch}: ${strength} of ${capacity} seats taken`,
      }))}
    />
  );
}
