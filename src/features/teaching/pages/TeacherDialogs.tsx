import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { readAllAgain } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { type Assigned, sectionTeacherApi, type TeacherRole } from '../contract/section-teacher.ts';

/** The names of a section and a subject. */
export interface AssignmentTarget {
  section: string;
  subject: string;
}

interface AssignProps {
  sectionId: number;
  role: TeacherRole;
  subjectId: number | null;
  place: AssignmentTarget;
  on: string;
  onClose: () => void;
}

export function AssignDialog({ sectionId, role, subjectId, place, on, onClose }: AssignProps) {
  const { t } = useLingui();
  return (
    <FormAside
      title={t`${place.section}: ${place.subject || translateOption(role)}`}
      endpoint={sectionTeacherApi.assign}
      initial={{ staffId: '', periodsPerWeek: '', effectiveFrom: on, effectiveTo: '' }}
      hiddenValues={{ sectionId, role, subjectId }}
      words={<Trans>Assign</Trans>}
      onClose={onClose}
    >
      <TeacherField />
      {role === 'Subject teacher' && <TextField name="periodsPerWeek" width="short" inputMode="numeric" />}
      <Days />
    </FormAside>
  );
}

interface EntryProps {
  entry: Assigned;
  place: AssignmentTarget;
  on: string;
  isClosed: boolean;
  onClose: () => void;
}

/** An assignment and its actions. */
export function EntryDialog({ entry, place, on, isClosed, onClose }: EntryProps) {
  const { t } = useLingui();
  const [what, setWhat] = useState<'look' | 'replace' | 'change'>('look');
  const title = t`${place.section}: ${place.subject || translateOption(entry.role)}`;
  const hiddenValues = { id: entry.id, version: entry.version };
  const { staff, effectiveFrom, effectiveTo } = entry;
  if (what === 'replace') {
    return (
      <FormAside
        title={title}
        about={t`The new teacher replaces ${staff}. For a substitute, enter the last day too.`}
        endpoint={sectionTeacherApi.replace}
        initial={{ staffId: '', effectiveFrom: on < effectiveFrom ? effectiveFrom : on, effectiveTo: '' }}
        hiddenValues={hiddenValues}
        words={<Trans>Replace</Trans>}
        onClose={onClose}
      >
        <TeacherField />
        <Days />
      </FormAside>
    );
  }
  if (what === 'change') {
    return (
      <FormAside
        title={title}
        about={staff}
        endpoint={sectionTeacherApi.change}
        initial={{ periodsPerWeek: String(entry.periodsPerWeek ?? ''), effectiveFrom, effectiveTo }}
        hiddenValues={hiddenValues}
        words={<Trans>Save</Trans>}
        onClose={onClose}
      >
        {entry.role === 'Subject teacher' && <TextField name="periodsPerWeek" width="short" inputMode="numeric" />}
        <Days />
      </FormAside>
    );
  }
  return (
    <SideDialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <Facts
            facts={[
              {
                label: t`Teacher`,
                value: (
                  <>
                    {staff} {!entry.isActive && <Chip kind="bad">{t`inactive`}</Chip>}
                  </>
                ),
              },
              { label: t`From`, value: showDate(effectiveFrom) },
              { label: t`Until`, value: effectiveTo ? showDate(effectiveTo) : t`End of the year` },
              {
                label: t`Periods per week`,
                value: entry.role === 'Subject teacher' && String(entry.periodsPerWeek ?? '–'),
              },
            ]}
          />
          {!isClosed && (
            <Row gap={8} wrap mt={20}>
              <Button kind="main" onClick={() => setWhat('replace')}>
                <Trans>Replace…</Trans>
              </Button>
              <Button onClick={() => setWhat('change')}>
                {entry.role === 'Subject teacher' ? <Trans>Edit periods and dates…</Trans> : <Trans>Edit dates…</Trans>}
              </Button>
              <RemoveTeacher entry={entry} close={close} />
            </Row>
          )}
        </>
      )}
    </SideDialog>
  );
}

/** Removes an assignment, after asking. */
function RemoveTeacher({ entry: { id, version, staff }, close }: { entry: Assigned; close: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(sectionTeacherApi.remove);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trans>Remove teacher…</Trans>
      </Button>
      {isAsking && (
        <AskDialog
          title={t`Remove ${staff}`}
          confirm={<Trans>Remove</Trans>}
          isBad
          problem={remove.problem}
          onClose={() => setAsking(false)}
          onConfirm={async (closeQuestion) => {
            if (!(await remove.run({ id, version }))) return;
            closeQuestion();
            close();
            toast({ kind: 'success', title: t`Removed.`, of: staff });
          }}
        >
          <Trans>
            This removes the whole assignment, including past days. To end it on a day, edit its dates instead.
          </Trans>
        </AskDialog>
      )}
    </>
  );
}

/** A choice of the active staff. */
const TeacherField = () => <StaffPicker name="staffId" />;

function Days() {
  const { t } = useLingui();
  return (
    <>
      <DateField name="effectiveFrom" />
      <DateField name="effectiveTo" hint={t`Leave empty for the whole year.`} />
    </>
  );
}

type Doing = typeof sectionTeacherApi.assign | typeof sectionTeacherApi.change | typeof sectionTeacherApi.replace;

interface FormAsideProps {
  title: string;
  about?: string;
  endpoint: Doing;
  initial: Values;
  hiddenValues: Values;
  words: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A form of the mapping in the side panel. */
function FormAside({ title, about, endpoint, initial, hiddenValues, words, onClose, children }: FormAsideProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOld, setOld] = useState(false);
  return (
    <RecordForm
      title={title}
      about={about}
      endpoint={endpoint as Endpoint}
      initial={initial}
      hiddenValues={hiddenValues}
      words={words}
      notice={
        isOld && (
          <Notice role="alert">
            <Trans>Someone else has changed this. Close this form and open it again.</Trans>
          </Notice>
        )
      }
      onStale={() => {
        setOld(true);
        void readAllAgain();
      }}
      saved={null}
      onDone={(answer) => {
        const { alsoOf } = answer as { alsoOf: string[] };
        const others = alsoOf.join('; ');
        if (others)
          toast({
            kind: 'warning',
            title: t`Saved.`,
            text: t`This teacher is also the class teacher of ${others}.`,
          });
        else toast({ kind: 'success', title: t`Saved.` });
      }}
      onClose={onClose}
    >
      {children}
    </RecordForm>
  );
}
