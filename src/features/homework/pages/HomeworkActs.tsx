import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Homework, homeworkApi } from '../contract/homework.ts';
import { remindApi } from '../contract/remind.ts';
import { homeworkKinds } from '../contract/words.ts';
import { ContentFields, SectionLoads } from './GiveForm.tsx';
import { PairsField } from './PairsField.tsx';
import { WhenFields } from './WhenFields.tsx';

const publishWhens = ['Now', 'Later'];

/** The acts on homework, as its state allows. */
export function HomeworkActs({ homework }: { homework: Homework }) {
  const { t } = useLingui();
  const { title, may } = homework;
  return (
    <>
      {may.publish && (
        <FormOpener title={t`Publish ${title}`} label={<Trans>Publish</Trans>} kind="main">
          {(onClose) => <PublishForm homework={homework} onClose={onClose} />}
        </FormOpener>
      )}
      {may.change && (
        <>
          <FormOpener title={t`Change ${title}`} label={<Trans>Change</Trans>} kind="plain">
            {(onClose) => <ChangeForm homework={homework} onClose={onClose} />}
          </FormOpener>
          <MoveButton homework={homework} />
          {homework.state === 'Published' && <RemindButton homework={homework} />}
          <FormOpener title={t`Copy to sections: ${title}`} label={<Trans>Copy to sections</Trans>} kind="plain">
            {(onClose) => <CopyForm homework={homework} onClose={onClose} />}
          </FormOpener>
        </>
      )}
      {may.cancel && (
        <FormOpener title={t`Cancel ${title}`} label={<Trans>Cancel</Trans>} kind="plain">
          {(onClose) => (
            <RecordForm
              title={t`Cancel this homework`}
              about={t`Results are kept. Families already notified get a message that it is cancelled.`}
              endpoint={homeworkApi.cancel}
              initial={{ reason: '' }}
              hiddenValues={{ id: homework.id, version: homework.version }}
              words={<Trans>Cancel homework</Trans>}
              onClose={onClose}
            >
              <TextField name="reason" />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {may.remove && <RemoveButton homework={homework} />}
    </>
  );
}

interface FormProps {
  homework: Homework;
  onClose: () => void;
}

const pairOf = ({ sectionId, subjectId }: Homework) => ({ sectionId, subjectId });

function PublishForm({ homework, onClose }: FormProps) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Publish homework`}
      about={homework.section}
      endpoint={homeworkApi.publish}
      initial={{
        dueOn: homework.dueOn,
        lateUntil: homework.lateUntil,
        publish: 'Now',
        publishOn: '',
        publishHour: '',
        overReason: '',
      }}
      hiddenValues={{ id: homework.id, version: homework.version }}
      words={<Trans>Publish</Trans>}
      saved={t`Published.`}
      onClose={onClose}
    >
      <DateField name="dueOn" toward="future" />
      <SectionLoads pairs={[pairOf(homework)]} without={homework.id} kind={homework.kind} minutes={homework.minutes} />
      <WhenFields options={publishWhens} />
    </RecordForm>
  );
}

function ChangeForm({ homework, onClose }: FormProps) {
  const { t } = useLingui();
  const others = homework.others.map(({ section }) => section).join(', ');
  return (
    <RecordForm
      title={t`Change homework`}
      about={others ? t`Changes for ${others} too.` : undefined}
      endpoint={homeworkApi.update}
      initial={{
        title: homework.title,
        minutes: String(homework.minutes),
        kind: homework.kind,
        instructions: homework.instructions,
        links: homework.links.join('\n'),
        maxMarks: homework.maxMarks === null ? '' : String(homework.maxMarks),
        showsFeedback: homework.showsFeedback,
        overReason: homework.overReason,
        skillIds: homework.skills.map(({ id }) => id),
        tags: homework.tags.map(({ id }) => id),
      }}
      hiddenValues={{ id: homework.id, contentVersion: homework.contentVersion }}
      onClose={onClose}
    >
      <TextField name="title" />
      <TextField name="minutes" width="short" inputMode="numeric" />
      <SelectField name="kind" options={homeworkKinds} />
      {homework.state !== 'Draft' && (
        <SectionLoads
          pairs={[pairOf(homework)]}
          without={homework.id}
          assignedOn={homework.assignedOn}
          dueOn={homework.dueOn}
        />
      )}
      <ContentFields stage={homework.stage} homework={homework} />
    </RecordForm>
  );
}

/** Reminds the families of children who have not submitted it. */
function RemindButton({ homework: { id, title } }: { homework: Homework }) {
  const { t } = useLingui();
  const toast = useToast();
  const remind = usePreview(remindApi.remind);
  const { children = 0, guardians = 0, unreached = 0 } = remind.shown?.answer ?? {};
  return (
    <>
      <Button isBusy={remind.isBusy} aria-label={t`Remind families of ${title}`} onClick={() => remind.show({ id })}>
        <Trans>Remind families…</Trans>
      </Button>
      {!remind.shown && remind.problem}
      <PreviewDialog
        preview={remind}
        title={t`Remind families?`}
        confirm={<Trans>Remind</Trans>}
        onApplied={() => toast({ kind: 'success', title: t`Families are reminded.` })}
      >
        <Plural value={children} one="# student has not submitted it" other="# students have not submitted it" />:{' '}
        <Plural value={guardians} one="# guardian gets a message" other="# guardians get a message" />
        {unreached > 0 && (
          <>
            ; <Plural value={unreached} one="# guardian has no address" other="# guardians have no address" />
          </>
        )}
      </PreviewDialog>
    </>
  );
}

function MoveButton({ homework }: { homework: Homework }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(homeworkApi.move);
  const answer = preview.shown?.answer;
  return (
    <>
      <FormOpener title={t`Move due day of ${homework.title}`} label={<Trans>Move due day</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Move the due day`}
            about={homework.section}
            endpoint={homeworkApi.move}
            initial={{ dueOn: homework.dueOn, lateUntil: homework.lateUntil, overReason: homework.overReason }}
            hiddenValues={{ id: homework.id, version: homework.version }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => preview.take(input, previewed)}
            onClose={onClose}
          >
            <DateField name="dueOn" toward="future" />
            <DateField name="lateUntil" toward="future" />
            <SectionLoads
              pairs={[pairOf(homework)]}
              without={homework.id}
              kind={homework.kind}
              minutes={homework.minutes}
              assignedOn={homework.assignedOn}
            />
          </RecordForm>
        )}
      </FormOpener>
      <PreviewDialog
        preview={preview}
        title={t`Move the due day?`}
        confirm={<Trans>Move</Trans>}
        details={
          answer && (
            <ul>
              {answer.becomeLate > 0 && (
                <li>
                  <Plural
                    value={answer.becomeLate}
                    one="# submission becomes late."
                    other="# submissions become late."
                  />
                </li>
              )}
              {answer.becomeOnTime > 0 && (
                <li>
                  <Plural
                    value={answer.becomeOnTime}
                    one="# submission is no longer late."
                    other="# submissions are no longer late."
                  />
                </li>
              )}
              {answer.tells && (
                <li>
                  <Trans>The next message gives families the new day.</Trans>
                </li>
              )}
            </ul>
          )
        }
        onApplied={() => toast({ kind: 'success', title: t`Moved.` })}
      >
        <Trans>Only for {homework.section}.</Trans>
      </PreviewDialog>
    </>
  );
}

function CopyForm({ homework, onClose }: FormProps) {
  const { t } = useLingui();
  const toast = useToast();
  const { data } = useRead(homeworkApi.given, {});
  const taken = [homework.section, ...homework.others.map(({ section }) => section)];
  const pairs = (data?.pairs ?? []).filter(
    ({ subjectId, section }) => subjectId === homework.subjectId && !taken.includes(section),
  );
  return (
    <RecordForm
      title={t`Copy to sections`}
      about={homework.title}
      endpoint={homeworkApi.copy}
      initial={{
        pairs: [],
        dueOn: homework.dueOn >= homework.today ? homework.dueOn : '',
        lateUntil: '',
        publish: 'Now',
        publishOn: '',
        publishHour: '',
        overReason: '',
      }}
      hiddenValues={{ id: homework.id }}
      words={<Trans>Give</Trans>}
      saved={null}
      onDone={(_, input) => toast({ kind: 'success', title: t`Given, due ${showDate(String(input.dueOn))}.` })}
      onClose={onClose}
    >
      <PairsField pairs={pairs} />
      <DateField name="dueOn" toward="future" />
      <SectionLoads kind={homework.kind} minutes={homework.minutes} />
      <WhenFields options={['Now', 'Later', 'Draft']} />
    </RecordForm>
  );
}

function RemoveButton({ homework: { id, title } }: { homework: Homework }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const remove = useAction(homeworkApi.remove);
  return (
    <>
      <ConfirmButton
        name={t`Delete ${title}`}
        label={<Trans>Delete</Trans>}
        question={<Trans>Delete this draft? This can’t be undone.</Trans>}
        confirm={<Trans>Delete</Trans>}
        onConfirm={async () => {
          if (await remove.run({ id })) void navigate({ to: '/school-erp/homework/homework-list' });
        }}
      />
      {remove.problem}
    </>
  );
}
