import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { gradeMaster } from '../contract/masters.ts';
import { IdsField } from './IdsField.tsx';

/** The grades that prices are for. */
export function GradesField() {
  const { t } = useLingui();
  const { data: grades = [] } = useRead(gradeMaster.api.options, {});
  return <IdsField name="gradeIds" legend={t`Grades`} options={grades} />;
}
