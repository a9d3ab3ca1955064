import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { branchMaster } from '#features/school/contract/masters.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { TagsField } from '#features/tag/ui/TagsField.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RichTextField } from '#kit/browser/rich-text/RichTextField.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { asks, isAnswered } from '../contract/asks.ts';
import { priorities } from '../contract/priority.ts';
import { keepers } from '../contract/words.ts';
import { AudienceField, ReachWords } from './AudienceField.tsx';

const empty: Values = {
  title: '',
  body: [],
  categoryId: '',
  priority: 'Normal',
  branchId: '',
  audience: [],
  publishOn: '',
  publishTime: '',
  expiresOn: '',
  expiresTime: '',
  isPinned: false,
  asks: 'Nothing',
  options: '',
  acknowledgeBy: '',
  sendsEmail: true,
  sendsSms: true,
  isPageOnly: false,
  tags: [],
};

/** Writes a draft, whose page then offers to publish it. */
export function AddAnnouncement({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const categories = useRead(announcementApi.categories, {});
  const general = categories.data?.find(({ name }) => name === 'General');
  if (!categories.data && !categories.error) return null;
  return (
    <RecordForm
      title={t`Add announcement`}
      endpoint={announcementApi.create}
      initial={{ ...empty, categoryId: general ? String(general.id) : '' }}
      words={<Trans>Save and preview</Trans>}
      saved={null}
      onDone={({ id }) =>
        navigate({
          to: '/school-erp/announcement/announcement-list/$announcementID',
          params: { announcementID: String(id) },
          search: { act: 'publish' },
        })
      }
      onClose={onClose}
    >
      <Fields />
    </RecordForm>
  );
}

/** The day and time of the school of a moment; nothing for ''. */
function dayAndTime(moment: string) {
  if (moment === '') return { day: '', time: '' };
  const [day = '', time = ''] = new Date(Date.parse(moment) + 330 * 60_000).toISOString().split('T');
  return { day, time: time.slice(0, 5) };
}

const valuesOf = (announcement: Announcement): Values => {
  const [start, end] = [dayAndTime(announcement.publishAt), dayAndTime(announcement.expiresAt)];
  return {
    title: announcement.title,
    body: announcement.body,
    categoryId: String(announcement.categoryId),
    priority: announcement.priority,
    branchId: announcement.branchId ?? '',
    audience: announcement.audience,
    publishOn: start.day,
    publishTime: start.time,
    expiresOn: end.day,
    expiresTime: end.time,
    isPinned: announcement.isPinned,
    asks: announcement.asks,
    options: announcement.options.join('\n'),
    acknowledgeBy: announcement.acknowledgeBy,
    sendsEmail: announcement.sendsEmail,
    sendsSms: announcement.sendsSms,
    isPageOnly: announcement.isPageOnly,
    tags: announcement.tags.map(({ id }) => id),
  };
};

interface NewVersionProps {
  announcement: Announcement;
  onStarted: (runId: number | null) => void;
}

interface EditProps {
  announcement: Announcement;
  onClose: () => void;
}

/** Changes a draft, or corrects a published text, whose people remain. */
export function EditAnnouncement({ announcement, onClose }: EditProps) {
  const { t } = useLingui();
  const { id, version, title, state } = announcement;
  return (
    <RecordForm
      title={state === 'Draft' ? t`Edit ${title}` : t`Correct ${title}`}
      {...(state !== 'Draft' && { about: t`No message is sent, and readers are not asked again.` })}
      endpoint={announcementApi.update}
      initial={valuesOf(announcement)}
      hiddenValues={{ id, version }}
      onClose={onClose}
    >
      <Fields isPublished={state !== 'Draft'} had={announcement.tags} />
    </RecordForm>
  );
}

/** Writes a text of another meaning, and shows the messages before it is published. */
export function NewVersion({ announcement, onStarted }: NewVersionProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(announcementApi.newVersion);
  const { id, version, title } = announcement;
  const answer = preview.shown?.answer;
  return (
    <>
      <FormOpener title={t`New version of ${title}`} label={<Trans>New version…</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`New version of ${title}`}
            about={t`All recipients get a message and are asked to read it again. The proof of the earlier text is kept.`}
            endpoint={announcementApi.newVersion}
            initial={valuesOf(announcement)}
            hiddenValues={{ id, version }}
            words={<Trans>Preview</Trans>}
            saved={null}
            onDone={(previewed, input) => preview.take(input, previewed)}
            onClose={onClose}
          >
            <Fields isPublished had={announcement.tags} />
          </RecordForm>
        )}
      </FormOpener>
      <PreviewDialog
        preview={preview}
        title={t`Publish the new version?`}
        confirm={<Trans>Publish the new version</Trans>}
        details={
          answer && (
            <>
              <p>
                <Trans>
                  Of the earlier text: {answer.before.read} read it, {answer.before.acknowledged} acknowledged it.
                </Trans>
              </p>
              <ReachWords reach={answer} />
              {answer.waiting > 0 && (
                <p>
                  <Plural
                    value={answer.waiting}
                    one="The message to # guardian still waits and will have the new text."
                    other="The messages to # guardians still wait and will have the new text."
                  />
                </p>
              )}
            </>
          )
        }
        onApplied={(applied) => {
          toast({ kind: 'success', title: t`The new version was published.` });
          onStarted((applied as unknown as { runId: number | null }).runId);
        }}
      />
    </>
  );
}

const foldedFields = ['publishOn', 'publishTime', 'expiresOn', 'expiresTime', 'branchId'];

interface FieldsProps {
  isPublished?: boolean;
  /** Its tags so far. */
  had?: Announcement['tags'];
}

function Fields({ isPublished = false, had = [] }: FieldsProps) {
  const { t } = useLingui();
  const { values, errors } = useApiForm();
  const isKeeper = useMay({ access: keepers });
  return (
    <>
      <TextField name="title" />
      <RichTextField name="body" />
      {!isPublished && <AudienceField />}
      <OptionField name="categoryId" options={announcementApi.categories} />
      <SelectField
        name="priority"
        width="medium"
        options={isKeeper ? priorities : priorities.filter((word) => word !== 'Emergency')}
        hint={values.priority === 'Emergency' ? t`Messages are sent at night too, by every ticked channel.` : undefined}
      />
      <TickRow name="isPageOnly" hint={t`Guardians see it when they open their page.`} />
      {values.isPageOnly !== true && (
        <>
          <TickRow name="sendsEmail" hint={t`One email to each guardian, with the whole text.`} />
          <TickRow
            name="sendsSms"
            hint={
              values.sendsEmail === true ? t`To guardians without an email.` : t`To guardians with a mobile number.`
            }
          />
        </>
      )}
      <SelectField
        name="asks"
        width="medium"
        options={asks}
        hint={
          isAnswered(String(values.asks))
            ? t`Guardians answer for each child, from a phone they have proven.`
            : undefined
        }
      />
      {values.asks === 'Choice' && <TextField name="options" long />}
      {values.asks !== 'Nothing' && (
        <DateField
          name="acknowledgeBy"
          toward="future"
          required={isAnswered(String(values.asks))}
          hint={isAnswered(String(values.asks)) ? t`After this day only the school enters answers.` : undefined}
        />
      )}
      <Fold
        line={<Trans>Times and branch</Trans>}
        mustOpen={Object.keys(errors).some((name) => foldedFields.includes(name))}
      >
        {!isPublished && (
          <>
            <DateField name="publishOn" toward="future" hint={t`Leave empty to publish it at once.`} />
            <TextField name="publishTime" width="short" hint={t`08:00 where it is empty.`} />
          </>
        )}
        <DateField name="expiresOn" toward="future" hint={t`It is removed from the school page at that time.`} />
        <TextField name="expiresTime" width="short" hint={t`The end of the day where it is empty.`} />
        {isKeeper && (
          <>
            <OptionField name="branchId" options={branchMaster.api.options} />
            <TickRow name="isPinned" />
          </>
        )}
      </Fold>
      <Fold isLate line={<Trans>Tags</Trans>}>
        <TagsField scope="Announcement" had={had} />
      </Fold>
    </>
  );
}
