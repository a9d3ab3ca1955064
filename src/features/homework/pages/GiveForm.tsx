import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { IdsField } from '#features/academic/ui/IdsField.tsx';
import { skillApi } from '#features/skill/contract/skill.ts';
import { GroupedTicks } from '#features/tag/ui/GroupedTicks.tsx';
import { TagsField } from '#features/tag/ui/TagsField.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { type GivenPair, type Homework, homeworkApi, loadApi, whens } from '../contract/homework.ts';
import { homeworkKinds } from '../contract/words.ts';
import { FilesField } from './FilesField.tsx';
import { LoadMeter } from './LoadMeter.tsx';
import { type Pair, PairsField } from './PairsField.tsx';
import { useSendFiles } from './use-send-files.ts';
import { WhenFields } from './WhenFields.tsx';

/** Gives homework to sections of one subject. */
export function GiveForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const toast = useToast();
  const sendFiles = useSendFiles();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isTaking, setTaking] = useState(false);
  const query = useRead(homeworkApi.given, {});
  const pairs = query.data?.pairs;
  if (!pairs || pairs.length === 0)
    return (
      <SideDialog title={t`Give homework`} onClose={onClose}>
        {() => (
          <QueryBoundary query={query}>
            {() => (
              <EmptyState message={<Trans>You are not mapped to a subject of any section today.</Trans>}>
                <p>
                  <Trans>An Admin maps teachers in Section Teacher Mapping.</Trans>
                </p>
              </EmptyState>
            )}
          </QueryBoundary>
        )}
      </SideDialog>
    );
  const [only] = pairs.length === 1 ? pairs : [];
  const openFiles = (id: number) =>
    void navigate({
      to: '/school-erp/homework/homework-list/$homeworkID',
      params: { homeworkID: String(id) },
      search: { part: 'about' },
    });
  /** The homework is given, whatever becomes of its files on a slow line. */
  const send = async (id: number) => {
    const failed = await sendFiles(id, files);
    if (failed.length === 0) return;
    const names = failed.map(({ name }) => name).join(', ');
    toast({
      kind: 'warning',
      title: t`Not added to the homework: ${names}`,
      actions: [{ label: t`Add files`, act: () => openFiles(id) }],
    });
  };
  return (
    <RecordForm
      title={t`Give homework`}
      endpoint={homeworkApi.create}
      initial={{
        pairs: only ? [{ sectionId: only.sectionId, subjectId: only.subjectId }] : [],
        title: '',
        minutes: '',
        kind: 'Written',
        dueOn: only?.dueOn ?? '',
        instructions: '',
        links: '',
        maxMarks: '',
        showsFeedback: true,
        lateUntil: '',
        publish: 'Now',
        publishOn: '',
        publishHour: '',
        overReason: '',
        studentIds: [],
        skillIds: [],
        tags: [],
        copiedFrom: '',
      }}
      words={<Trans>Give</Trans>}
      saved={(input) => t`Homework given, due ${showDate(String(input.dueOn))}.`}
      actions={({ ids }) => (files.length > 0 ? [] : [{ label: t`Add files`, act: () => openFiles(Number(ids[0])) }])}
      onSaved={({ ids }) => send(Number(ids[0]))}
      isHeld={isTaking}
      onClose={onClose}
    >
      <FilesField files={files} onChange={setFiles} onTaking={setTaking} />
      <Fields pairs={pairs} />
    </RecordForm>
  );
}

function Fields({ pairs }: { pairs: readonly GivenPair[] }) {
  const { t } = useLingui();
  const { values, errors, change } = useApiForm();
  /** The due day that was offered, which the first section replaces. */
  const [offered, setOffered] = useState(String(values.dueOn));
  const further = ['instructions', 'links', 'maxMarks', 'lateUntil', 'skillIds', 'tags'];
  const stages = pairs.flatMap(({ sectionId, stage }) =>
    (values.pairs as Pair[]).some((one) => one.sectionId === sectionId) ? stage : [],
  );
  return (
    <>
      <PairsField
        pairs={pairs}
        onChange={(chosen) => {
          const latest =
            chosen
              .map(({ dueOn }) => dueOn)
              .toSorted()
              .at(-1) ?? '';
          change('studentIds', []);
          if (values.dueOn === offered) change('dueOn', latest);
          setOffered(latest);
        }}
      />
      <TextField name="title" />
      <TextField name="minutes" width="short" inputMode="numeric" />
      <SelectField name="kind" options={homeworkKinds} />
      <DateField name="dueOn" toward="future" />
      <SectionLoads />
      <WhenFields options={whens} />
      {(values.pairs as Pair[]).length === 1 && (
        <Fold line={t`Only for some students`} mustOpen={Boolean(errors.studentIds)}>
          <Students pair={(values.pairs as Pair[])[0]} />
        </Fold>
      )}
      <Fold isLate line={t`Use earlier homework`} mustOpen={values.copiedFrom !== ''}>
        <EarlierField />
      </Fold>
      <Fold line={t`Text, links, marks, skills, tags`} mustOpen={further.some((name) => errors[name])}>
        <ContentFields stage={stages[0]} />
        <DateField name="lateUntil" toward="future" hint={t`After the due day.`} />
      </Fold>
    </>
  );
}

/** The children of the section; none chosen is the whole section. */
function Students({ pair }: { pair: Pair | undefined }) {
  const { t } = useLingui();
  const query = useRead(homeworkApi.students, { sectionId: pair?.sectionId ?? 0, subjectId: pair?.subjectId ?? 0 });
  return (
    <QueryBoundary query={query}>
      {(students) => <IdsField name="studentIds" legend={t`Students; none for the whole section`} options={students} />}
    </QueryBoundary>
  );
}

interface ContentProps {
  /** Of the sections, which the skills are of. */
  stage: GivenPair['stage'] | undefined;
  homework?: Pick<Homework, 'skills' | 'tags'>;
}

function SkillsField({ stage, had }: { stage: GivenPair['stage']; had: Homework['skills'] }) {
  const query = useRead(skillApi.offer, { stage });
  return (
    <QueryBoundary query={query}>
      {({ skills }) => {
        const offered = skills.map(({ id, name, domain }) => ({ id, name, group: domain }));
        const kept = had.filter(({ id }) => !offered.some((one) => one.id === id));
        return <GroupedTicks name="skillIds" options={[...kept, ...offered]} />;
      }}
    </QueryBoundary>
  );
}

/** Fills the form in from homework that the teacher gave before, of any year; its files come along. */
function EarlierField() {
  const { values, change } = useApiForm();
  const id = String(values.copiedFrom);
  const { data } = useReadList(homeworkApi.earlier, { id }, id !== '');
  const [filled, setFilled] = useState('');
  const fill = useEffectEvent((found: NonNullable<typeof data>) => {
    setFilled(id);
    change('title', found.title);
    change('minutes', String(found.minutes));
    change('kind', found.kind);
    change('instructions', found.instructions);
    change('links', found.links.join('\n'));
    change('maxMarks', found.maxMarks === null ? '' : String(found.maxMarks));
    change('showsFeedback', found.showsFeedback);
    change('skillIds', found.skillIds);
    change('tags', found.tags);
  });
  const isNew = id !== '' && id !== filled;
  useEffect(() => {
    if (isNew && data) fill(data);
  }, [isNew, data]);
  return (
    <>
      <OptionField name="copiedFrom" options={homeworkApi.earlierOptions} />
      {id !== '' && data && data.files.length > 0 && (
        <p className="soft">
          <Trans>Files: {data.files.join(', ')}</Trans>
        </p>
      )}
    </>
  );
}

/** The fields of the content that few homework needs. */
export function ContentFields({ stage, homework }: ContentProps) {
  const { t } = useLingui();
  return (
    <>
      <TextField name="instructions" long />
      <TextField name="links" long hint={t`At most five addresses, such as youtu.be/abc.`} />
      <TextField name="maxMarks" width="short" inputMode="decimal" hint={t`Leave empty for homework without marks.`} />
      <TickRow name="showsFeedback" />
      {stage && (
        <Fold isLate line={t`Skills`}>
          <SkillsField stage={stage} had={homework?.skills ?? []} />
        </Fold>
      )}
      <Fold isLate line={t`Tags`}>
        <TagsField scope="Homework" had={homework?.tags ?? []} />
      </Fold>
    </>
  );
}

interface LoadsProps {
  /** The sections, where the form does not choose them. */
  pairs?: readonly Pair[];
  /** The delivery that changes. */
  without?: number;
  kind?: string;
  minutes?: number;
  assignedOn?: string;
  dueOn?: string;
}

/** The load of the chosen sections with the form's homework, and the reason where it passes the limit. */
export function SectionLoads({ pairs, without, kind, minutes, assignedOn, dueOn: due }: LoadsProps) {
  const { t } = useLingui();
  const { values, errors } = useApiForm();
  const chosen = pairs ?? (values.pairs as Pair[]);
  const typed = useLater(String(minutes ?? values.minutes));
  const dueOn = due ?? String(values.dueOn);
  const [first] = chosen;
  const number = Number(typed);
  const isWanted = first !== undefined && isRealDate(dueOn);
  const { data } = useReadList(
    loadApi.load,
    {
      sectionIds: chosen.map(({ sectionId }) => sectionId).join(','),
      subjectId: first?.subjectId ?? 0,
      dueOn,
      minutes: Number.isInteger(number) && number >= 0 && number <= 240 ? number : 0,
      kind: kind ?? values.kind,
      assignedOn: assignedOn ?? (values.publish === 'Later' ? String(values.publishOn) : ''),
      without,
    },
    isWanted,
  );
  const sections = isWanted
    ? (data?.sections ?? []).filter(({ sectionId }) => chosen.some((one) => one.sectionId === sectionId))
    : [];
  const isOver = values.publish !== 'Draft' && sections.some(({ over }) => over.length > 0);
  return (
    <>
      {sections.map((load) => (
        <LoadMeter key={load.sectionId} load={load} />
      ))}
      {(isOver || errors.overReason || values.overReason !== '') && !data?.isBlocked && (
        <TextField name="overReason" required hint={t`The principal sees it.`} />
      )}
      {isOver && data?.isBlocked && (
        <p role="status" className="warning">
          <Trans>The school refuses homework over the limit. Choose another day or fewer minutes.</Trans>
        </p>
      )}
    </>
  );
}
