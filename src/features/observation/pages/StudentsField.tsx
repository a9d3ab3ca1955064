import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Question, useQuestion } from '#kit/browser/form/question.tsx';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { noteStudents } from '../contract/note.ts';
import styles from './NoteForm.module.css';

export interface ChosenStudent {
  id: number;
  name: string;
}

/** The students of a note: typed and chosen one after the other, each with a button that removes them. */
export function StudentsField() {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const parts = useQuestion({ name: 'studentIds' });
  const [count, setCount] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count > 0) box.current?.querySelector('input')?.focus();
  }, [count]);
  const chosen = values.students as ChosenStudent[];
  const set = (students: ChosenStudent[]) => {
    change('students', students);
    change(
      'studentIds',
      students.map(({ id }) => id),
    );
  };
  return (
    <Question parts={parts}>
      {chosen.length > 0 && (
        <Row as="ul" gap={6} wrap mb={8} className={styles.students}>
          {chosen.map(({ id, name }) => (
            <Row framed as="li" inline gap={2} align="center" breaks="anywhere" key={id}>
              {name}
              <IconButton label={t`Remove ${name}`} onClick={() => set(chosen.filter((one) => one.id !== id))}>
                <IconX size={14} aria-hidden />
              </IconButton>
            </Row>
          ))}
        </Row>
      )}
      {/* The box is new after each choice, and has the focus again. */}
      <div key={count} ref={box}>
        <Combobox
          id="studentIds"
          name="studentIds"
          options={noteStudents}
          aria-invalid={Boolean(parts.error)}
          aria-describedby={parts.described}
          chosen={undefined}
          onChoose={(choice) => {
            if (!choice) return;
            const id = Number(choice.value);
            if (!chosen.some((one) => one.id === id)) set([...chosen, { id, name: choice.label }]);
            setCount(count + 1);
          }}
        />
      </div>
    </Question>
  );
}
