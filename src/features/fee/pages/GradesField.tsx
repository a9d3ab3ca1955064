import { useLingui } from '@lingui/react/macro';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { IdsField } from './IdsField.tsx';

/** The grades that prices are for. */
export function GradesField() {
  const { t } = useLingui();
  const { data: grades = [] } = useRead(gradeMaster.api.options, {});
  return <IdsField name="gradeIds" legend={t`Grades`} options={grades} />;
}
