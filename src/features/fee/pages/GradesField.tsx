import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ErrorText } from '#kit/browser/form/question.tsx';
import styles from './GradesField.module.css';

/** The grades that prices are for. */
export function GradesField() {
  const { values, change, errors } = useApiForm();
  const { data: grades = [] } = useRead(gradeMaster.api.options, {});
  const id = useId();
  const chosen = values.gradeIds as number[];
  const toggle = (grade: number, isChosen: boolean) =>
    change('gradeIds', isChosen ? [...chosen, grade] : chosen.filter((other) => other !== grade));
  return (
    <fieldset className="question" aria-describedby={errors.gradeIds && `${id}-error`}>
      <legend>
        <Trans>Grades</Trans>
      </legend>
      <ErrorText id={`${id}-error`} error={errors.gradeIds} />
      <div className={styles.grades}>
        {grades
          .filter(({ id, isActive }) => isActive || chosen.includes(id))
          .map(({ id: grade, name }, place) => (
            <label key={grade}>
              <input
                type="checkbox"
                id={place === 0 ? 'gradeIds' : undefined}
                name="gradeIds"
                checked={chosen.includes(grade)}
                onChange={(event) => toggle(grade, event.currentTarget.checked)}
              />{' '}
              {name}
            </label>
          ))}
      </div>
    </fieldset>
  );
}
