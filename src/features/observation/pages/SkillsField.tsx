import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { noteApi } from '../contract/note.ts';
import styles from './NoteForm.module.css';

interface Draft {
  skillId: string;
  levelId: string;
}

/** The skills that a note is evidence of, each with the level it shows. */
export function SkillsField({ students }: { students: readonly number[] }) {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const drafts = values.skills as Draft[];
  const { data } = useRead(noteApi.skills, { students: students.join(',') });
  const wrong = Object.entries(errors).find(([name]) => name.startsWith('skills'));
  if (!data || data.skills.length === 0) return null;
  const set = (place: number, over: Partial<Draft>) =>
    change(
      'skills',
      drafts.map((draft, index) => (index === place ? { ...draft, ...over } : draft)),
    );
  return (
    <Fold line={<Trans>Skills that this shows</Trans>} mustOpen={drafts.length > 0}>
      <ErrorText id="skills-error" error={wrong?.[1]} />
      {drafts.map((draft, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place.
        <Row gap={8} wrap mb={8} key={place} className={styles.skill}>
          <select
            className="box"
            aria-label={t`Skill`}
            value={draft.skillId}
            onChange={({ currentTarget }) => set(place, { skillId: currentTarget.value })}
          >
            <option value="">{t`Choose`}</option>
            {data.skills.map(({ id, name, domain }) => (
              <option key={id} value={id}>
                {domain}: {name}
              </option>
            ))}
          </select>
          <select
            className="box"
            aria-label={t`Level`}
            value={draft.levelId}
            onChange={({ currentTarget }) => set(place, { levelId: currentTarget.value })}
          >
            <option value="">{t`Choose`}</option>
            {data.levels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Button
            kind="quiet"
            onClick={() =>
              change(
                'skills',
                drafts.filter((_, index) => index !== place),
              )
            }
          >
            <Trans>Remove</Trans>
          </Button>
        </Row>
      ))}
      <Button kind="quiet" edge="start" onClick={() => change('skills', [...drafts, { skillId: '', levelId: '' }])}>
        <Trans>Add a skill</Trans>
      </Button>
    </Fold>
  );
}
