import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useEffect, useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ChoiceRow, RadioField, YesNoField } from '#kit/browser/form/choices.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { translate } from '#kit/browser/text.ts';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import { isYoungFor } from '../contract/age.ts';
import {
  addressParts,
  type BasicInfo,
  basicInfoApi,
  basicInfoDraft,
  bloodGroups,
  foodOptions,
  permanentAddressHelp,
  permanentAddressRequired,
  photoRequired,
} from '../contract/basic-info.ts';
import { formKeys } from '../contract/form.ts';
import { lockedChildFields, type OpenInquiry } from '../contract/inquiry.ts';
import { BirthDateField } from '../ui/BirthDateField.tsx';
import { LockedFacts } from '../ui/LockedFacts.tsx';
import { AddressFields, PermanentAddress } from './AddressFields.tsx';
import styles from './BasicInfoPage.module.css';
import { openPageDraft } from './drafts.ts';
import { useFieldNotes } from './field-notes.tsx';
import { fileAddress } from './file-address.ts';
import { formIdentity, lockedOf } from './form-values.ts';
import { Instructions } from './Instructions.tsx';
import { getOpenInquiry } from './inquiry-state.ts';
import { lazyPart } from './lazy-part.ts';
import { isStepOpen } from './open-steps.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { TellSchool } from './TellSchool.tsx';
import { useFormEnd } from './use-form-end.ts';
import { oddMobile } from './warnings.ts';
import { YourConsent } from './YourConsent.tsx';

// Most inquiries have consent recorded, so the consent page is loaded only when needed.
const ConsentPage = lazyPart(async () => (await import('./ConsentPage.tsx')).ConsentPage);

const draftsHere = ['basic-info'] as const;

export async function load() {
  const [inquiry, answer, draft] = await Promise.all([getOpenInquiry(), get(basicInfoApi.get, {}), openDraftHere()]);
  const [saved] = answer.data.lstStudentAdmissionBasicInfoModel;
  return { inquiry, saved, rowVersion: answer.data.rowVersion, draft };
}

/** Before consent is given, a correction may show this page although it is closed: it has no draft then. */
async function openDraftHere() {
  const { correction } = await getOpenInquiry();
  return isStepOpen(correction, 1) ? openPageDraft('basic-info') : undefined;
}

export function Page() {
  const { t } = useLingui();
  const { inquiry, saved, rowVersion, draft } = usePageData<typeof load>();
  const { goTo, onRefused } = useFormEnd();
  const notes = useFieldNotes(inquiry.correction, 1);
  const photoField = 'admissionStudentImageIFormFile';
  const needsFiles = (_: Values, files: Record<string, File>): FieldErrors =>
    saved?.admissionStudentImagePath || files[photoField] ? {} : { [photoField]: photoRequired };
  const {
    admissionAcademicYearID,
    academicYear,
    admissionBoardID,
    board,
    admissionProgramID,
    program,
    admissionGradeID,
    grade,
  } = inquiry;
  const hiddenValues = {
    ...formIdentity(inquiry, rowVersion),
    admissionAcademicYearID,
    academicYear,
    admissionBoardID,
    board,
    admissionProgramID,
    program,
    admissionGradeID,
    grade,
    gender: inquiry.gender,
  };
  if (inquiry.isConsentRequired) {
    return (
      <Suspense>
        <ConsentPage inquiry={inquiry} />
      </Suspense>
    );
  }
  return (
    <StepPage step={1} inquiry={inquiry} drafts={draft && [draft]} lead={!inquiry.correction && <Instructions />}>
      <ApiForm
        endpoint={basicInfoApi.save}
        initial={initialValues(inquiry, saved)}
        hiddenValues={hiddenValues}
        notes={notes}
        draft={draft}
        needsFiles={needsFiles}
        isOutdated={async () => (await get(basicInfoApi.get, {})).data.rowVersion !== rowVersion}
        toastsFor={announcements}
        validatesOnLeave="filled"
        onRefused={onRefused}
        onDone={() => goTo('/admission1')}
        buttons={(isSending, isChanged) => (
          <StepBar
            submit={<Trans>Save and Next</Trans>}
            isSending={isSending}
            drafts={draftsHere}
            status={saved && !isChanged && <Trans>Saved</Trans>}
          />
        )}
      >
        <BasicDetails inquiry={inquiry} />
        <Section title={<Trans>Child photo</Trans>}>
          <UploadField
            name={photoField}
            isHeaded
            hint={<Trans>A clear photo of the face. PNG or JPG, at most 2 MB.</Trans>}
            stored={saved?.admissionStudentImagePath ? fileAddress(saved.admissionStudentImagePath) : undefined}
          />
        </Section>
        <Section title={<Trans>Food option</Trans>}>
          <RadioField name="foodOption" isHeaded options={foodOptions} />
        </Section>
        <Section title={<Trans>Transport service</Trans>}>
          <YesNoField name="isTransportServiceOpted" isHeaded hint={t`Do you want the school bus for your child?`} />
        </Section>
        <Section title={<Trans>Present address</Trans>} name={msg`Present address`}>
          <AddressFields prefix="current" />
        </Section>
        <PermanentAddress />
      </ApiForm>
      <YourConsent />
    </StepPage>
  );
}

function BasicDetails({ inquiry }: { inquiry: OpenInquiry }) {
  const { t } = useLingui();
  const locked = lockedOf(inquiry, lockedChildFields);
  const gender = inquiry.gender === null ? t`Not recorded` : inquiry.gender ? t`Male` : t`Female`;
  const shown: Record<(typeof lockedChildFields)[number], (value: string) => string> = {
    firstName: (value) => value,
    lastName: (value) => value,
    birthDate: showReaderDay,
  };
  const words = { firstName: t`First Name`, lastName: t`Last Name`, birthDate: t`Birth Date` };
  const facts = [
    ...locked.map((name) => ({ label: words[name], value: shown[name](inquiry[name] ?? '') })),
    { label: t`Gender`, value: gender },
    { label: t`Grade`, value: inquiry.grade },
    { label: t`Board`, value: inquiry.board },
    { label: t`Program`, value: inquiry.program },
    { label: t`Academic Year`, value: inquiry.academicYear },
    { label: t`Application number`, value: inquiry.inquiryNo },
  ];
  const { change, values } = useApiForm();
  const emergency = (number: string) => () => change('emergencyMobileNo', number);
  const isAadhaar = useAadhaarCheck(
    /^[0-9]{12}$/.test(cleanCode(String(values.aadharCardNo ?? '')).replace(/[ -]/g, '')),
  );
  const oddAadhaar = (typed: string) =>
    isAadhaar?.(typed) === false ? t`This does not look like an Aadhaar number. Check it against the card.` : undefined;
  return (
    <Section title={<Trans>Basic details</Trans>}>
      <LockedFacts
        facts={facts}
        source={<Trans>From your inquiry</Trans>}
        line={[[inquiry.firstName, inquiry.lastName].filter(Boolean).join(' '), inquiry.grade]
          .filter(Boolean)
          .join(', ')}
      >
        <TellSchool about="Basic details" />
      </LockedFacts>
      <AgeNote inquiry={inquiry} />
      {!locked.includes('firstName') && <TextField name="firstName" width="medium" />}
      {!locked.includes('lastName') && <TextField name="lastName" width="medium" />}
      {!locked.includes('birthDate') && <BirthDateField name="birthDate" />}
      <SelectField
        name="bloodGroup"
        options={bloodGroups}
        width="short"
        hint={<Trans>See the birth papers, the vaccination card or a lab report.</Trans>}
      />
      <TextField
        name="aadharCardNo"
        label={msg`Aadhar Card No (or passport number)`}
        width="medium"
        inputMode="text"
        warn={oddAadhaar}
        hint={<Trans>No card? Enter the enrolment number or “Applied for”. We keep it safe and hide it.</Trans>}
      />
      <TextField name="nationality" width="medium" suggestions={['Indian']} />
      <TextField
        name="religion"
        width="medium"
        suggestions={['Hindu', 'Muslim', 'Christian', 'Sikh', 'Jain', 'Buddhist', 'Parsi', 'Prefer not to say']}
        hint={
          <Trans>The government asks every school for religion and caste. You may enter “Prefer not to say”.</Trans>
        }
      />
      <TextField name="caste" width="medium" suggestions={['General', 'OBC', 'SC', 'ST', 'Prefer not to say']} />
      <TextField name="subCaste" width="medium" suggestions={['Prefer not to say']} />
      <TextField
        name="emergencyMobileNo"
        type="tel"
        inputMode="tel"
        width="medium"
        hint={<Trans>10 digits. We call this number first in an emergency.</Trans>}
        warn={oddMobile(t`Indian mobile numbers start with 6, 7, 8 or 9. Check this one.`)}
        offers={[
          ...(inquiry.fatherMobileNo
            ? [{ label: t`Use father’s number`, take: emergency(inquiry.fatherMobileNo) }]
            : []),
          ...(inquiry.motherMobileNo
            ? [{ label: t`Use mother’s number`, take: emergency(inquiry.motherMobileNo) }]
            : []),
        ]}
      />
      <FormerSchool />
    </Section>
  );
}

/** A note where the child is younger than usual for the grade; it never stops the form (B30). */
function AgeNote({ inquiry }: { inquiry: OpenInquiry }) {
  const { values } = useApiForm();
  const birthDate = inquiry.birthDate ?? String(values.birthDate ?? '');
  const { gradeAge, grade } = inquiry;
  const isYoung = gradeAge !== null && isYoungFor(birthDate, gradeAge);
  return (
    <p className={styles.age} role="status">
      {isYoung && (
        <Trans>
          Children in {grade} are usually {gradeAge.years} years or older on {showReaderDay(gradeAge.on)}. You can
          continue; the school will talk to you about the right grade.
        </Trans>
      )}
    </p>
  );
}

/** A child who has not attended a school has neither number: one tick fills both with "NA" and hides them (A12). */
function FormerSchool() {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const [isFirst, setFirst] = useState(values.studentUID === 'NA' && values.schoolDISECode === 'NA');
  const toggle = (ticked: boolean) => {
    setFirst(ticked);
    for (const name of ['studentUID', 'schoolDISECode']) change(name, ticked ? 'NA' : '');
  };
  const source = <Trans>You will find it on the report card of the current school.</Trans>;
  return (
    <>
      <div className="question">
        <ChoiceRow
          type="checkbox"
          id="not-been-to-a-school"
          label={t`My child has not been to a school yet`}
          checked={isFirst}
          onChange={toggle}
        />
      </div>
      {!isFirst && (
        <>
          <TextField name="studentUID" width="medium" inputMode="numeric" hint={source} />
          <TextField
            name="schoolDISECode"
            width="medium"
            inputMode="numeric"
            hint={<Trans>11 digits. Ask the current school for it.</Trans>}
            warn={(value) =>
              value && !/^[0-9]{11}$/.test(cleanCode(value)) && value !== 'NA' ? t`Enter 11 digits.` : undefined
            }
          />
        </>
      )}
    </>
  );
}

function initialValues(inquiry: OpenInquiry, saved: BasicInfo | undefined): Values {
  const names = Object.keys(basicInfoDraft.shape).filter((name) => !(name in formKeys));
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const start = {
    isTransportServiceOpted: null,
    // True of most families; another address is entered after unticking it.
    sameAsPresentAddress: true,
    nationality: 'Indian',
    currentCountry: 'India',
  };
  const fromInquiry = Object.fromEntries(lockedChildFields.map((name) => [name, inquiry[name] ?? '']));
  const fromSaved = saved && Object.fromEntries(names.map((name) => [name, saved[name as keyof BasicInfo]]));
  return { ...empty, ...start, ...fromInquiry, ...fromSaved };
}

/** What the specification warns of in words that the list of problems does not have. */
const announcements = (errors: FieldErrors) =>
  addressParts.some((part) => errors[`permanent${part}`])
    ? [{ title: translate(permanentAddressRequired), text: translate(permanentAddressHelp) }]
    : [];

/** The check of an Aadhaar number, which is fetched once twelve digits are typed; undefined without them. */
function useAadhaarCheck(isAsked: boolean) {
  const [check, setCheck] = useState<(typed: string) => boolean>();
  useEffect(() => {
    if (!isAsked) return;
    const fetched = import('#kit/contract/aadhaar.ts').then(({ isAadhaar }) => setCheck(() => isAadhaar));
    fetched.catch(() => undefined); // The number is accepted with or without the note.
  }, [isAsked]);
  return isAsked ? check : undefined;
}
