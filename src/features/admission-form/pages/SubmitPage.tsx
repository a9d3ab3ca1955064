import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { ApiForm, useApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TicksField, YesNoField } from '#kit/browser/form/choices.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import { focusOn, type Problem } from '#kit/browser/form/ErrorSummary.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { AppError, FieldErrors } from '#kit/contract/errors.ts';
import { type AdmissionDocument, documentApi, requiredDocuments } from '../contract/document.ts';
import { formKeys } from '../contract/form.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import {
  documentsRequired,
  type Gap,
  type Language,
  languageApi,
  languageDraft,
  languages,
  schoolLanguages,
} from '../contract/language.ts';
import { CheckAnswers, useAnswers } from './CheckAnswers.tsx';
import { Documents } from './Documents.tsx';
import { openPageDraft } from './drafts.ts';
import { formIdentity } from './form-values.ts';
import { getInquiry } from './inquiry-state.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { SubmittedPage } from './SubmittedPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { languageLabels } from './words.tsx';

const draftsHere = ['language', 'documents'] as const;

export async function load() {
  const inquiry = await getInquiry();
  if (inquiry.isFormSubmitted) return { inquiry };
  const [answer, documents, draft, documentDraft] = await Promise.all([
    get(languageApi.get, {}),
    get(documentApi.list, {}),
    openPageDraft('language'),
    openPageDraft('documents'),
  ]);
  return {
    inquiry,
    saved: answer.data.lstStudentAdmissionLanguageDtlModel[0],
    rowVersion: answer.data.rowVersion,
    documents: documents.data.resultList,
    drafts: { language: draft, documents: documentDraft },
  };
}

export function Page() {
  const { inquiry, saved, rowVersion = null, documents: initial = [], drafts } = usePageData<typeof load>();
  const [documents, setDocuments] = useState(initial);
  const [isUploading, setUploading] = useState(false);
  if (inquiry.isFormSubmitted) return <SubmittedPage inquiry={inquiry} />;
  if (!drafts) return null;
  return (
    <StepPage
      step={5}
      academicYear={inquiry.academicYear}
      saved={inquiry.savedSteps}
      drafts={[drafts.language, drafts.documents]}
    >
      <Documents
        inquiry={inquiry}
        documents={documents}
        onChange={setDocuments}
        draft={drafts.documents}
        onSending={setUploading}
      />
      <LanguageForm
        inquiry={inquiry}
        documents={documents}
        saved={saved}
        rowVersion={rowVersion}
        draft={drafts.language}
        isUploading={isUploading}
      />
    </StepPage>
  );
}

interface Props {
  inquiry: OpenInquiry;
  documents: AdmissionDocument[];
  saved: Language | undefined;
  rowVersion: number | null;
  draft: Draft;
  /** A document is being uploaded; it would be too late for a form that is submitted now. */
  isUploading: boolean;
}

function LanguageForm({ inquiry, documents, saved, rowVersion, draft, isUploading }: Props) {
  const { t } = useLingui();
  const { leave, onRefused } = useFormEnd();
  const toast = useToast();
  const pageNames = {
    '/admission': t`Step 1, Child`,
    '/admission1': t`Step 2, Family`,
    '/admission2': t`Step 3, Health`,
    '/admission3': t`Step 4, Contacts`,
  };
  const read = useAnswers();
  const isThere = (name: string) =>
    inquiry.waivedDocuments.includes(name) || documents.some(({ documentName }) => documentName === name);
  /** What this page knows to be missing besides its languages: documents first, then the other steps. */
  const further = (): Problem[] => [
    ...(requiredDocuments.every(isThere) ? [] : [{ text: documentsRequired, field: 'documentName' }]),
    ...stepsBefore.flatMap(({ path, notFilledIn }, index) => {
      const isSaved = read.answers ? read.answers.isSaved[index] : inquiry.savedSteps.includes(index + 1);
      const href = changeAddress(path);
      if (!isSaved) return [{ text: notFilledIn, href }];
      return read.answers?.unsaved[index]
        ? [{ text: msg`Your changes are not saved.`, group: pageNames[path], href }]
        : [];
    }),
  ];
  return (
    <ApiForm
      endpoint={languageApi.submit}
      initial={initialValues(saved)}
      hiddenValues={formIdentity(inquiry, rowVersion)}
      validate={(): FieldErrors =>
        isUploading ? { DocumentIFormFile: msg`Wait until the document is uploaded, or cancel the upload.` } : {}
      }
      further={further}
      ask={(send, onClose) => (
        <AskDialog
          title={t`Submit the form?`}
          cancel={<Trans>Not yet</Trans>}
          confirm={<Trans>Yes, submit</Trans>}
          onClose={onClose}
          onConfirm={async (close) => {
            close();
            await send();
          }}
        >
          <Trans>
            After you submit, you cannot change your answers. The school will check them and write to you about the next
            step.
          </Trans>
        </AskDialog>
      )}
      elsewhere={(refused) => gapsElsewhere(refused, pageNames)}
      draft={draft}
      onRefused={onRefused}
      onDone={async (answer) => {
        if (answer.text) toast({ kind: 'success', title: translate(answer.text) });
        await forgetAllLocally('all');
        await leave();
      }}
      buttons={(isSending) => (
        <>
          <Section title={<Trans>Submit the form</Trans>}>
            <p className="plain">
              <Trans>
                After you submit, you cannot change your answers. The school will check them and write to you about the
                next step.
              </Trans>
            </p>
            <p className="plain">
              <Button type="submit" kind="main" isBusy={isSending}>
                <Trans>Submit Form</Trans>
              </Button>
            </p>
          </Section>
          <StepBar
            previous="/admission3"
            submit={<Trans>Check your answers</Trans>}
            onPress={() => focusOn('check')}
            isSending={isSending}
            drafts={draftsHere}
          />
        </>
      )}
    >
      <Section title={<Trans>Language profile</Trans>} name={t`Language profile`}>
        <SelectField
          name="primaryLangatHome"
          label={languageLabels.primaryLangatHome}
          options={languages}
          width="medium"
        />
        <OtherLanguages />
        <YesNoField name="isChildFluentInEnglish" label={languageLabels.isChildFluentInEnglish} />
        <RadioField
          name="childStudyLangPreferance"
          label={languageLabels.childStudyLangPreferance}
          options={schoolLanguages}
        />
        <RadioField
          name="langPreferanceWithSchool"
          label={languageLabels.langPreferanceWithSchool}
          options={schoolLanguages}
        />
        <YesNoField name="isChildHaveReplacedLang" label={languageLabels.isChildHaveReplacedLang} />
        <ReplacedLanguage />
      </Section>
      <CheckAnswers inquiry={inquiry} read={read} />
    </ApiForm>
  );
}

/** Fifteen boxes, folded to what is ticked of them. */
function OtherLanguages() {
  const { t } = useLingui();
  const { values, errors } = useApiForm();
  const chosen = String(values.otherLangChildKnow ?? '')
    .split(',')
    .filter(Boolean);
  return (
    <Fold
      mustOpen={errors.otherLangChildKnow !== undefined}
      line={
        <>
          <b>{translate(languageLabels.otherLangChildKnow)}</b>{' '}
          <span>{chosen.length > 0 ? chosen.map(translateOption).join(', ') : t`Choose`}</span>
        </>
      }
    >
      <TicksField
        name="otherLangChildKnow"
        label={languageLabels.otherLangChildKnow}
        isHeaded
        options={languages}
        hint={<Trans>None? Tick the language spoken at home.</Trans>}
      />
    </Fold>
  );
}

function ReplacedLanguage() {
  if (useApiForm().values.isChildHaveReplacedLang !== true) return null;
  return <SelectField name="repalcedLangOfChild" options={languages} required width="medium" />;
}

/** The address of another step, from which saving comes back here. */
const changeAddress = (path: string, field = '') =>
  `${path}?inquiryNo=${encodeURIComponent(currentLink())}&return=check${field && `#${field}`}`;

const stepsBefore = [
  {
    path: '/admission',
    notFilledIn: msg`Step 1, Child is not filled in yet`,
  },
  {
    path: '/admission1',
    notFilledIn: msg`Step 2, Family is not filled in yet`,
  },
  {
    path: '/admission2',
    notFilledIn: msg`Step 3, Health is not filled in yet`,
  },
  {
    path: '/admission3',
    notFilledIn: msg`Step 4, Contacts is not filled in yet`,
  },
] as const;

/** Missing answers on other pages, each a link to its page and field; saving there comes back, as with "Change" (B21). */
function gapsElsewhere({ data }: AppError, pageNames: Record<string, string>): Problem[] {
  const gaps = (data?.gaps ?? []) as Gap[];
  return gaps
    .filter(({ page }) => page !== '/admission4')
    .map(({ page, field, label, message }) => ({
      text: message,
      label,
      group: pageNames[page],
      href: changeAddress(page, field),
    }));
}

function initialValues(saved: Language | undefined): Values {
  const names = Object.keys(languageDraft.shape).filter((name) => !(name in formKeys));
  const isQuestion = (name: string) => name === 'isChildFluentInEnglish' || name === 'isChildHaveReplacedLang';
  return Object.fromEntries(
    names.map((name) => [name, saved?.[name as keyof Language] ?? (isQuestion(name) ? null : '')]),
  );
}
