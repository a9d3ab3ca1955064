import { useLingui } from '@lingui/react/macro';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { setUpApi } from '../contract/set-up.ts';

/** The June in which the year of this day begins: most schools begin then, and from April on the coming one counts. */
function usualStart(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return `${month < 4 ? year - 1 : year}-06-01`;
}

/** Adds the academic year of a new school. */
export function YearForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add the academic year`}
      about={t`It ends a year later and gets two terms, which can be changed in Academic Master. Ages count on its first day.`}
      endpoint={setUpApi.year}
      initial={{ startsOn: usualStart(today()) }}
      onClose={onClose}
    >
      <DateField name="startsOn" />
    </RecordForm>
  );
}
