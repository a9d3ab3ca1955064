import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { isRealDate } from '#kit/contract/fields.ts';
import { addStudentApi } from '../contract/add.ts';

interface Props {
  /** Those of the form by default. */
  gradeId?: number | null;
  birthDate?: string;
}

/** Whether the grade takes a child of this age: a warning, no refusal. */
export function Age({ gradeId, birthDate }: Props) {
  const { values } = useApiForm();
  const asked = {
    gradeId: String((gradeId === undefined ? values.gradeId : gradeId) ?? ''),
    birthDate: birthDate ?? String(values.birthDate ?? ''),
  };
  return asked.gradeId && isRealDate(asked.birthDate) ? <AgeOf {...asked} /> : null;
}

function AgeOf(asked: { gradeId: string; birthDate: string }) {
  const { data } = useRead(addStudentApi.age, asked);
  if (!data?.words) return null;
  return data.isOutside ? (
    <Notice role="status">{translate(data.words)}</Notice>
  ) : (
    <p className="question soft">{translate(data.words)}</p>
  );
}
