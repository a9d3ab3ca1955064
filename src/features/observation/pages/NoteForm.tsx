import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { noteApi, noteSubjects } from '../contract/note.ts';
import { type Reach, reaches } from '../contract/words.ts';
import { PolarityField } from './PolarityField.tsx';
import { RatingGrid } from './RatingGrid.tsx';
import { SkillsField } from './SkillsField.tsx';
import { type ChosenStudent, StudentsField } from './StudentsField.tsx';

type Offer = OutputOf<typeof noteApi.offer>;

interface Props {
  /** The students that are chosen already. */
  students?: readonly ChosenStudent[];
  draftId?: number;
  /** What the form begins with, such as the text of another note. */
  answers?: Record<string, unknown>;
  onClose: () => void;
}

/** A note on one student or several. What is typed is kept as a draft on the server. */
export function NoteForm({ students = [], draftId, answers = {}, onClose }: Props) {
  const offer = useRead(noteApi.offer, {});
  const kept = useReadList(noteApi.draft, { id: draftId ?? 0 }, draftId !== undefined);
  return (
    <QueryBoundary query={offer}>
      {(offered) =>
        draftId === undefined ? (
          <Form offer={offered} students={students} answers={answers} onClose={onClose} />
        ) : (
          <QueryBoundary query={kept}>
            {(draft) => (
              <Form offer={offered} students={students} id={draftId} answers={draft.answers} onClose={onClose} />
            )}
          </QueryBoundary>
        )
      }
    </QueryBoundary>
  );
}

interface FormProps {
  offer: Offer;
  students: readonly ChosenStudent[];
  /** Of a draft. */
  id?: number;
  answers: Record<string, unknown>;
  onClose: () => void;
}

function Form({ offer, students, id, answers, onClose }: FormProps) {
  const { t } = useLingui();
  const [kept, setKept] = useState({ id: id ?? null, at: '' });
  /** A draft that is still being saved while the note is published is deleted. */
  const isPublished = useRef(false);
  const [first] = offer.types;
  const [initial] = useState({
    students,
    studentIds: students.map(({ id }) => id),
    typeId: first ? String(first.id) : '',
    polarity: '',
    note: '',
    reach: first?.usualReach || 'Class teachers',
    day: offer.day,
    time: offer.time,
    place: '',
    subjectId: '',
    ratings: [],
    skills: [],
    actionId: '',
    ownerId: '',
    dueOn: offer.dueOn,
    ...answers,
  });
  return (
    <RecordForm
      title={t`Add observation`}
      about={kept.at && t`Draft saved at ${kept.at}`}
      endpoint={noteApi.publish}
      initial={initial}
      hiddenValues={{ draftId: kept.id }}
      words={<Trans>Publish</Trans>}
      saved={t`Published.`}
      onDone={() => {
        isPublished.current = true;
      }}
      onClose={onClose}
    >
      <StudentsField />
      <Fields offer={offer} />
      <KeepDraft
        draftId={kept.id}
        before={initial}
        isPublished={isPublished}
        onKept={(draftId, at) => setKept({ id: draftId, at })}
      />
    </RecordForm>
  );
}

/** The fields of a note in the order in which it is written. */
function Fields({ offer }: { offer: Offer }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const ids = values.studentIds as number[];
  const type = offer.types.find(({ id }) => String(id) === String(values.typeId));
  const isRestricted = values.reach === 'Restricted';
  return (
    <>
      <SelectField
        name="typeId"
        options={offer.types.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) => {
          const chosen = offer.types.find(({ id }) => String(id) === value);
          if (chosen?.usualReach) change('reach', chosen.usualReach);
          change('ratings', []);
        }}
      />
      <PolarityField />
      <TextField name="note" long hint={t`Describe what happened, where, who was there and how it was handled.`} />
      {type?.rubric && <RatingGrid key={type.id} rubric={type.rubric} />}
      <RadioField name="reach" options={type?.rubric ? reaches.filter((word) => word !== 'Restricted') : reaches} />
      {ids.length > 0 && <Readers students={ids} reach={String(values.reach) as Reach} />}
      <DateField name="day" toward="past" />
      <TextField name="time" width="short" />
      <TextField name="place" />
      <OptionField name="subjectId" options={noteSubjects} />
      {(!isRestricted || (values.skills as unknown[]).length > 0) && ids.length > 0 && <SkillsField students={ids} />}
      {ids.length > 0 && <FollowUpFields offer={offer} students={ids} isAsked={type?.asksFollowUp ?? false} />}
    </>
  );
}

/** Who will read it, by name, so that nobody is surprised. */
export function Readers({ students, reach }: { students: readonly number[]; reach: Reach }) {
  const { t } = useLingui();
  const { data } = useRead(noteApi.reader, { students: students.join(','), reach });
  if (!data) return null;
  const { leads, keepers, teachers } = data;
  const others = t`${plural(teachers, { one: '# subject teacher', other: '# subject teachers' })}`;
  const names = [...leads, ...keepers, ...(teachers > 0 ? [others] : [])].join(', ');
  return (
    <p className="soft">
      {names !== '' && <Trans>Read by you and {names}.</Trans>}{' '}
      {reach === 'Restricted' && (
        <Trans>Others can’t list, search or export it. The principal and the counsellor give a reason each time.</Trans>
      )}
    </p>
  );
}

interface FollowUpProps {
  offer: Offer;
  students: readonly number[];
  isAsked: boolean;
}

function FollowUpFields({ offer, students, isAsked }: FollowUpProps) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const { data } = useRead(noteApi.reader, { students: students.join(','), reach: String(values.reach) as Reach });
  return (
    <>
      <SelectField
        name="actionId"
        required={isAsked}
        placeholder={t`No follow-up`}
        options={offer.actions.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {values.actionId !== '' && (
        <>
          <SelectField
            name="ownerId"
            required
            options={(data?.owners ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <DateField name="dueOn" toward="future" required />
        </>
      )}
    </>
  );
}

const typingPause = 1500;
const retryAfter = 5000;

interface KeepProps {
  draftId: number | null;
  before: Record<string, unknown>;
  isPublished: RefObject<boolean>;
  onKept: (id: number, at: string) => void;
}

/** Saves what is typed once the typing pauses, and tries again while the server is away; nothing before there is a text. */
function KeepDraft({ draftId, before, isPublished, onKept }: KeepProps) {
  const { values, isSending } = useApiForm();
  const [isAway, setAway] = useState(false);
  const [tries, setTries] = useState(0);
  const { run, problem } = useAction(noteApi.saveDraft, {
    onRefused: ({ code }) => setAway(code === 'unavailable'),
  });
  const remove = useAction(noteApi.removeDraft);
  const saved = useRef<Record<string, unknown>>(before);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is another reason.
  useEffect(() => {
    if (isSending || saved.current === values || String(values.note ?? '').trim() === '') return;
    const timer = setTimeout(
      async () => {
        const kept = await run({ draftId, answers: values });
        if (kept && isPublished.current) return void remove.run({ id: kept.id });
        if (!kept) return setTries((count) => count + 1);
        saved.current = values;
        setAway(false);
        onKept(kept.id, showTime(new Date().toISOString()));
      },
      isAway ? retryAfter : typingPause,
    );
    return () => clearTimeout(timer);
  }, [values, isSending, draftId, tries, isAway]);
  return problem;
}
