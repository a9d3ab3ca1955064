import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { ApiForm, useApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TicksField, YesNoField } from '#kit/browser/form/choices.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import type { Problem } from '#kit/browser/form/ErrorSummary.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { AppError, FieldErrors } from '#kit/contract/errors.ts';
import { isSame } from '#kit/contract/text.ts';
import { documentApi } from '../contract/document.ts';
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
import { CheckAnswers } from './CheckAnswers.tsx';
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
  const { inquiry, saved, rowVersion = null, documents = [], drafts } = usePageData<typeof load>();
  const [isUploading, setUploading] = useState(false);
  if (inquiry.isFormSubmitted) return <SubmittedPage inquiry={inquiry} />;
  if (!drafts) return null;
  return (
    <StepPage step={5} academicYear={inquiry.academicYear}>
      <Documents inquiry={inquiry} initial={documents} draft={drafts.documents} onSending={setUploading} />
      <LanguageForm
        inquiry={inquiry}
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
  saved: Language | undefined;
  rowVersion: number | null;
  draft: Draft;
  /** A document is being uploaded; it would be too late for a form that is submitted now. */
  isUploading: boolean;
}

function LanguageForm({ inquiry, saved, rowVersion, draft, isUploading }: Props) {
  const { t } = useLingui();
  const { leave, onRefused } = useFormEnd();
  const toast = useToast();
  const pageNames = {
    '/admission': t`Step 1, Child`,
    '/admission1': t`Step 2, Family`,
    '/admission2': t`Step 3, Health`,
    '/admission3': t`Step 4, Contacts`,
  };
  const toastsFor = (errors: FieldErrors) =>
    isSame(errors.documentName, documentsRequired) ? [{ title: translate(documentsRequired) }] : [];
  return (
    <ApiForm
      endpoint={languageApi.submit}
      initial={initialValues(saved)}
      hiddenValues={formIdentity(inquiry, rowVersion)}
      validate={(): FieldErrors =>
        isUploading ? { DocumentIFormFile: msg`Wait until the document is uploaded, or cancel the upload.` } : {}
      }
      toastsFor={toastsFor}
      elsewhere={(refused) => gapsElsewhere(refused, pageNames)}
      draft={draft}
      onRefused={onRefused}
      onDone={async (answer) => {
        if (answer.text) toast({ kind: 'success', title: translate(answer.text) });
        await forgetAllLocally('all');
        await leave();
      }}
      buttons={(isSending) => (
        <StepBar previous="/admission3" submit={<Trans>Submit Form</Trans>} isSending={isSending} drafts={draftsHere} />
      )}
    >
      <Section title={<Trans>Language profile</Trans>} name={t`Language profile`}>
        <SelectField
          name="primaryLangatHome"
          label={languageLabels.primaryLangatHome}
          options={languages}
          width="medium"
        />
        <TicksField name="otherLangChildKnow" label={languageLabels.otherLangChildKnow} options={languages} />
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
      <CheckAnswers inquiry={inquiry} />
      <Section title={<Trans>Submit the form</Trans>}>
        <p className="plain">
          <Trans>
            After you submit, you cannot change your answers. The school will check them and write to you about the next
            step.
          </Trans>
        </p>
      </Section>
    </ApiForm>
  );
}

function ReplacedLanguage() {
  if (useApiForm().values.isChildHaveReplacedLang !== true) return null;
  return <SelectField name="repalcedLangOfChild" options={languages} required width="medium" />;
}

/** Missing answers on other pages, each a link to its page and field; saving there comes back, as with "Change" (B21). */
function gapsElsewhere({ data }: AppError, pageNames: Record<string, string>): Problem[] {
  const gaps = (data?.gaps ?? []) as Gap[];
  return gaps
    .filter(({ page }) => page !== '/admission4')
    .map(({ page, field, label, message }) => ({
      text: message,
      label,
      group: pageNames[page],
      href: `${page}?inquiryNo=${encodeURIComponent(currentLink())}&return=check#${field}`,
    }));
}

function initialValues(saved: Language | undefined): Values {
  const names = Object.keys(languageDraft.shape).filter((name) => !(name in formKeys));
  const isQuestion = (name: string) => name === 'isChildFluentInEnglish' || name === 'isChildHaveReplacedLang';
  return Object.fromEntries(
    names.map((name) => [name, saved?.[name as keyof Language] ?? (isQuestion(name) ? null : '')]),
  );
}
