import { Trans, useLingui } from '@lingui/react/macro';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { categoryMaster, priorities } from '../contract/masters.ts';
import { behalves, sources } from '../contract/state.ts';
import { fileNames, ticketApi } from '../contract/ticket.ts';
import styles from './RaiseTicket.module.css';

const empty = {
  categoryId: '',
  subject: '',
  description: '',
  aboutStudentId: '',
  aboutStaffId: '',
  roomId: '',
  place: '',
  priority: '',
  onBehalf: 'Self',
  source: 'App',
  isConfidential: false,
};

/** Raises a ticket in one panel; what the category asks for and by when it is solved is shown as soon as it is chosen. */
export function RaiseTicket({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  return (
    <RecordForm
      title={t`Raise a ticket`}
      endpoint={ticketApi.raise}
      initial={empty}
      words={<Trans>Raise</Trans>}
      saved={t`The ticket was raised.`}
      actions={({ id }) => [
        {
          label: t`Open`,
          act: () =>
            void navigate({ to: '/school-erp/ticket/ticket-entry/$ticketID', params: { ticketID: String(id) } }),
        },
      ]}
      status={<Estimate />}
      onClose={onClose}
    >
      {(close) => <Fields close={close} />}
    </RecordForm>
  );
}

function useEstimate() {
  const { values } = useApiForm();
  const categoryId = String(values.categoryId ?? '');
  const input = { categoryId, priority: String(values.priority ?? '') as '' };
  return useReadList(ticketApi.estimate, input, categoryId !== '').data;
}

function Fields({ close }: { close: () => void }) {
  const { t } = useLingui();
  const { files, values } = useApiForm();
  const estimate = useEstimate();
  const chosen = fileNames.filter((name) => files[name]).length;
  return (
    <>
      <OptionField name="categoryId" options={categoryMaster.api.options} isTyped required />
      <TextField name="subject" />
      <TextField name="description" long hint={estimate?.template || undefined} />
      <Similar close={close} />
      <OptionField name="aboutStudentId" options={ticketApi.students} required={estimate?.requiresStudent ?? false} />
      <OptionField name="roomId" options={ticketApi.rooms} />
      <TextField name="place" />
      <Fold
        line={<Trans>Priority, colleague, confidential, files</Trans>}
        mustOpen={chosen > 0 || values.aboutStaffId !== ''}
      >
        <SelectField
          name="priority"
          options={priorities}
          placeholder={estimate ? t`Usual: ${translateOption(estimate.priority)}` : t`As usual for the category`}
        />
        <StaffPicker name="aboutStaffId" />
        <SelectField name="onBehalf" options={behalves} />
        <SelectField name="source" options={sources} />
        <TickField name="isConfidential" hint={t`Only you, the assignee and added readers can read it.`} />
        {fileNames.slice(0, chosen + 1).map((name) => (
          <UploadField key={name} name={name} />
        ))}
      </Fold>
    </>
  );
}

/** Open tickets with similar words: a comment there may be enough. */
function Similar({ close }: { close: () => void }) {
  const { values } = useApiForm();
  const subject = useLater(String(values.subject ?? '').trim());
  const { data = [] } = useReadList(
    ticketApi.similar,
    {
      subject,
      categoryId: String(values.categoryId ?? '') || null,
      studentId: String(values.aboutStudentId ?? '') || null,
      roomId: String(values.roomId ?? '') || null,
    },
    subject.length >= 4,
  );
  if (subject.length < 4 || data.length === 0) return null;
  return (
    <section className={styles.similar} aria-live="polite">
      <p>
        <Trans>Similar open tickets. A reply there may be enough.</Trans>
      </p>
      <ul>
        {data.map(({ id, ticketNo, subject: words, status }) => (
          <li key={id}>
            <PageLink
              to="/school-erp/ticket/ticket-entry/$ticketID"
              params={{ ticketID: String(id) }}
              onClick={() => close()}
            >
              {words}
            </PageLink>{' '}
            <span className="soft">{[ticketNo, translateOption(status)].join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who gets it, and by when it is answered and solved. */
function Estimate() {
  const estimate = useEstimate();
  if (!estimate) return null;
  const { department, assignee, responseDueAt, resolutionDueAt } = estimate;
  return (
    <p className="soft" role="status">
      <Trans>Goes to {assignee || department}.</Trans>{' '}
      {resolutionDueAt === null ? (
        <Trans>No business hours in the next year.</Trans>
      ) : responseDueAt === null ? (
        <Trans>Solved by {showMoment(resolutionDueAt)}.</Trans>
      ) : (
        <Trans>
          Answer by {showMoment(responseDueAt)}, solved by {showMoment(resolutionDueAt)}.
        </Trans>
      )}
    </p>
  );
}
