import { Trans, useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { noteApi, noteSubjects, type ShownNote } from '../contract/note.ts';
import { reaches } from '../contract/words.ts';
import { PolarityField } from './PolarityField.tsx';
import { RatingGrid } from './RatingGrid.tsx';
import { SkillsField } from './SkillsField.tsx';

/** Changes an own note while it is not locked. */
export function ChangeNote({ note }: { note: ShownNote }) {
  const { t } = useLingui();
  const { id, version, rubric } = note;
  return (
    <FormOpener title={t`Change the note`} label={<Trans>Change</Trans>} kind="plain">
      {(onClose) => (
        <RecordForm
          title={t`Change the note`}
          endpoint={noteApi.update}
          initial={{
            day: note.day,
            time: note.time,
            polarity: note.polarity,
            place: note.place ?? '',
            subjectId: note.subjectId === null ? '' : String(note.subjectId),
            note: note.note ?? '',
            reach: note.reach,
            ratings: note.ratings,
            skills: note.skills.map(({ skillId, levelId }) => ({ skillId: String(skillId), levelId: String(levelId) })),
          }}
          hiddenValues={{ id, version }}
          onClose={onClose}
        >
          <PolarityField />
          <TextField name="note" long hint={t`Describe what happened, where, who was there and how it was handled.`} />
          {rubric && <RatingGrid rubric={rubric} />}
          <RadioField name="reach" options={rubric ? reaches.filter((word) => word !== 'Restricted') : reaches} />
          <DateField name="day" toward="past" />
          <TextField name="time" width="short" />
          <TextField name="place" />
          <OptionField name="subjectId" options={noteSubjects} />
          <SkillsField students={[note.studentId]} />
        </RecordForm>
      )}
    </FormOpener>
  );
}
