import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TicksField, YesNoField } from '#kit/browser/form/choices.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import type { Problem } from '#kit/browser/form/ErrorSummary.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type AdmissionDocument, documentApi, requiredDocuments } from '../contract/document.ts';
import { formKeys } from '../contract/form.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import {
  documentsRequired,
  type Language,
  languageApi,
  languageDraft,
  languages,
  schoolLanguages,
} from '../contract/language.ts';
import { languageLabels } from '../ui/words.tsx';
import { CheckAnswers, useAnswers } from './CheckAnswers.tsx';
import { CorrectionForm } from './CorrectionForm.tsx';
import { Documents } from './Documents.tsx';
import { openPageDraft } from './drafts.ts';
import { useFieldNotes } from './field-notes.tsx';
import { formIdentity } from './form-values.ts';
import { getInquiry } from './inquiry-state.ts';
import { isStepOpen, lastStep } from './open-steps.ts';
import { usePageData } from './page-data.ts';
import { Section, StepPage } from './StepPage.tsx';
import { SubmittedPage } from './SubmittedPage.tsx';
import { useSubmission } from './use-submission.tsx';
import './end-texts.ts';

const draftsHere = ['language', 'documents'] as const;

export async function load() {
  const inquiry = await getInquiry();
  if (inquiry.isFormSubmitted || !isStepOpen(inquiry.correction, lastStep)) return { inquiry };
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
  if (!drafts) return <CorrectionForm inquiry={inquiry} />;
  return (
    <StepPage step={5} inquiry={inquiry} drafts={[drafts.language, drafts.documents]}>
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
  const read = useAnswers(inquiry.correction);
  const submission = useSubmission(inquiry, read, draftsHere);
  const notes = useFieldNotes(inquiry.correction, 5);
  const isThere = (name: string) =>
    inquiry.waivedDocuments.includes(name) || documents.some(({ documentName }) => documentName === name);
  /** What this page knows to be missing besides its languages: documents first, then the other steps. */
  const further = (): Problem[] => [
    ...(requiredDocuments.every(isThere) ? [] : [{ text: documentsRequired, field: 'documentName' }]),
    ...submission.further(),
  ];
  return (
    <ApiForm
      endpoint={languageApi.submit}
      initial={initialValues(saved)}
      hiddenValues={formIdentity(inquiry, rowVersion)}
      notes={notes}
      validate={(): FieldErrors =>
        isUploading ? { DocumentIFormFile: msg`Wait until the document is uploaded, or cancel the upload.` } : {}
      }
      draft={draft}
      {...submission}
      further={further}
    >
      <Section title={<Trans>Language profile</Trans>} name={msg`Language profile`}>
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
  const { values, errors, notes } = useApiForm();
  const chosen = String(values.otherLangChildKnow ?? '')
    .split(',')
    .filter(Boolean);
  return (
    <Fold
      mustOpen={errors.otherLangChildKnow !== undefined || notes.otherLangChildKnow !== undefined}
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

function initialValues(saved: Language | undefined): Values {
  const names = Object.keys(languageDraft.shape).filter((name) => !(name in formKeys));
  const isQuestion = (name: string) => name === 'isChildFluentInEnglish' || name === 'isChildHaveReplacedLang';
  return Object.fromEntries(
    names.map((name) => [name, saved?.[name as keyof Language] ?? (isQuestion(name) ? null : '')]),
  );
}
