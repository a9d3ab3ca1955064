import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TickField, YesNoField } from '#kit/browser/form/choices.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Career, careerApi } from '../contract/career.ts';
import { formKeys } from '../contract/form.ts';
import { lockedParentFields, type OpenInquiry } from '../contract/inquiry.ts';
import {
  absence,
  absenceReasons,
  adoptionDocumentRequired,
  divorceDocumentRequired,
  familyPhotoRequired,
  type ParentInfo,
  parentInfoApi,
  parentInfoDraft,
} from '../contract/parent-info.ts';
import { BirthDateField } from '../ui/BirthDateField.tsx';
import { LockedFacts } from '../ui/LockedFacts.tsx';
import { usePlaces } from './AddressFields.tsx';
import { openPageDraft } from './drafts.ts';
import { useFieldNotes } from './field-notes.tsx';
import { fileAddress } from './file-address.ts';
import { formIdentity, lockedOf } from './form-values.ts';
import { getOpenInquiry } from './inquiry-state.ts';
import { previousOpen } from './open-steps.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { TellSchool } from './TellSchool.tsx';
import { useFormEnd } from './use-form-end.ts';
import { type PersonProps, WorkFields } from './WorkFields.tsx';
import { oddMobile } from './warnings.ts';

const draftsHere = ['parent-info'] as const;

export async function load() {
  const [inquiry, answer, careers, draft] = await Promise.all([
    getOpenInquiry(),
    get(parentInfoApi.get, {}),
    get(careerApi.sectors, {}),
    openPageDraft('parent-info'),
  ]);
  const [saved] = answer.data.lstStudentAdmissionParentInfo;
  return { inquiry, saved, rowVersion: answer.data.rowVersion, sectors: careers.data.lstCareerMaster, draft };
}

const fileFields = {
  family: 'FamilyImageIFormFile',
  divorce: 'DivorceDocumentIFormFile',
  adoption: 'AdoptionDocumentIFormFile',
} as const;

export function Page() {
  const { t } = useLingui();
  const { inquiry, saved, rowVersion, sectors, draft } = usePageData<typeof load>();
  const { goTo, onRefused } = useFormEnd();
  const notes = useFieldNotes(inquiry.correction, 2);
  const needsFiles = (values: Values, files: Record<string, File>): FieldErrors => ({
    ...(saved?.familyImagePath || files[fileFields.family] ? {} : { [fileFields.family]: familyPhotoRequired }),
    ...(values.isParentDivorced === true && !values.divorceDocumentPath && !files[fileFields.divorce]
      ? { [fileFields.divorce]: divorceDocumentRequired }
      : {}),
    ...(values.isChildAdopted === true && !values.adoptionDocumentPath && !files[fileFields.adoption]
      ? { [fileFields.adoption]: adoptionDocumentRequired }
      : {}),
  });
  const asked = (who: 'father' | 'mother') => !inquiry.detailsNotApplicable.includes(who);
  return (
    <StepPage step={2} inquiry={inquiry} drafts={[draft]}>
      <ApiForm
        endpoint={parentInfoApi.save}
        initial={initialValues(inquiry, saved)}
        hiddenValues={{ ...formIdentity(inquiry, rowVersion), detailsNotApplicable: inquiry.detailsNotApplicable }}
        notes={notes}
        needsFiles={needsFiles}
        isOutdated={async () => (await get(parentInfoApi.get, {})).data.rowVersion !== rowVersion}
        validatesOnLeave="filled"
        draft={draft}
        onRefused={onRefused}
        onDone={() => goTo('/admission2')}
        buttons={(isSending, isChanged) => (
          <StepBar
            previous={previousOpen(inquiry.correction, 2)}
            submit={<Trans>Save and Next</Trans>}
            isSending={isSending}
            drafts={draftsHere}
            status={saved && !isChanged && <Trans>Saved</Trans>}
          />
        )}
      >
        <Section title={<Trans>Family photo</Trans>}>
          <UploadField
            name={fileFields.family}
            isHeaded
            hint={<Trans>Show everyone who lives with your child. PNG, JPG or GIF, at most 2 MB.</Trans>}
            stored={saved?.familyImagePath ? fileAddress(saved.familyImagePath) : undefined}
          />
        </Section>
        {asked('father') && (
          <Section title={<Trans>Father</Trans>} name={msg`Father`}>
            <ParentFields who="father" owner={t`Father’s`} inquiry={inquiry} sectors={sectors} />
          </Section>
        )}
        {asked('mother') && (
          <Section title={<Trans>Mother</Trans>} name={msg`Mother`}>
            <ParentFields who="mother" owner={t`Mother’s`} inquiry={inquiry} sectors={sectors} />
          </Section>
        )}
        <FamilyFacts saved={saved} />
        <Guardian sectors={sectors} />
      </ApiForm>
    </StepPage>
  );
}

function ParentFields({
  who,
  owner,
  inquiry,
  sectors,
}: PersonProps & { who: 'father' | 'mother'; inquiry: OpenInquiry }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const locked = lockedOf(
    inquiry,
    lockedParentFields.filter((name) => name.startsWith(who)),
  );
  const words = { FirstName: t`First Name`, LastName: t`Last Name`, MobileNo: t`Mobile No`, EmailID: t`Email ID` };
  const parts = Object.keys(words) as (keyof typeof words)[];
  const isLocked = (part: keyof typeof words) => locked.includes(`${who}${part}`);
  const facts = parts.filter(isLocked).map((part) => ({ label: words[part], value: String(inquiry[`${who}${part}`]) }));
  const { isAbsent, reason } = absence[who];
  return (
    <>
      <AbsenceTick who={who} inquiry={inquiry} />
      {values[isAbsent] === true ? (
        <RadioField name={reason} options={absenceReasons} required />
      ) : (
        <>
          <LockedFacts
            facts={facts}
            source={<Trans>From your inquiry</Trans>}
            line={facts
              .slice(0, 3)
              .map(({ value }) => value)
              .join(' ')}
          >
            <TellSchool about={who === 'father' ? 'Father' : 'Mother'} />
          </LockedFacts>
          <NameFields who={who} owner={owner} isLocked={isLocked} />
          <BirthDateField name={`${who}BirthDate`} owner={owner} />
          <TextField name={`${who}Qualification`} owner={owner} required width="medium" />
          <WorkFields who={who} owner={owner} sectors={sectors} isParent />
          <TextField name={`${who}Hobbies`} owner={owner} required />
        </>
      )}
    </>
  );
}

/** Ticked, nothing about the parent is asked or kept; unticking brings back what was typed. */
function AbsenceTick({ who, inquiry }: { who: 'father' | 'mother'; inquiry: OpenInquiry }) {
  const { values, change } = useApiForm();
  const typed = useRef<Values>({});
  const { isAbsent, reason } = absence[who];
  const toggle = (ticked: boolean) => {
    change(reason, '');
    const names = Object.keys(values).filter((name) => name.startsWith(who));
    if (ticked) typed.current = Object.fromEntries(names.map((name) => [name, values[name]]));
    const empty = (name: string) => (name.endsWith('CanVisitWorkplace') ? null : '');
    const known = { ...values, ...fromInquiry(inquiry), ...typed.current };
    for (const name of names) change(name, ticked ? empty(name) : known[name]);
  };
  return <TickField name={isAbsent} onChange={toggle} />;
}

function NameFields({
  who,
  owner,
  isLocked,
}: {
  who: string;
  owner: string;
  isLocked: (part: 'FirstName' | 'LastName' | 'MobileNo' | 'EmailID') => boolean;
}) {
  const { t } = useLingui();
  const odd = oddMobile(t`Indian mobile numbers start with 6, 7, 8 or 9. Check this one.`);
  const common = { owner, required: true, width: 'medium' } as const;
  return (
    <>
      {!isLocked('FirstName') && <TextField name={`${who}FirstName`} {...common} />}
      {!isLocked('LastName') && <TextField name={`${who}LastName`} {...common} />}
      {!isLocked('MobileNo') && (
        <TextField name={`${who}MobileNo`} type="tel" inputMode="tel" warn={odd} hint={t`10 digits`} {...common} />
      )}
      {!isLocked('EmailID') && (
        <TextField name={`${who}EmailID`} type="email" inputMode="email" {...common} width={undefined} />
      )}
    </>
  );
}

/** Shown only once their part of the page is opened. */
const foldedFields = [
  'parentWorkingatFS',
  'staffHRISEmployeeID',
  'isParentDivorced',
  fileFields.divorce,
  'isChildAdopted',
  fileFields.adoption,
  'otherFamilyIssueDtl',
];

function FamilyFacts({ saved }: { saved: ParentInfo | undefined }) {
  const { values, errors, notes, change, choose } = useApiForm();
  // Most families have nothing to answer here.
  const isTold =
    values.parentWorkingatFS === true ||
    values.isParentDivorced === true ||
    values.isChildAdopted === true ||
    Boolean(values.otherFamilyIssueDtl);
  const isNoted = foldedFields.some((name) => notes[name] !== undefined);
  // A No removes the stored document when the page is saved, and a Yes requires one again (A31).
  const answer = (path: string, file: string) => (isYes: boolean) => {
    if (isYes) return;
    change(path, '');
    choose(file, undefined);
  };
  const files = <Trans>PNG or JPG, at most 2 MB. To add a PDF, use the last page and choose Other.</Trans>;
  return (
    <Section title={<Trans>About the family</Trans>}>
      <Fold
        mustOpen={isTold || isNoted || Boolean(errors[fileFields.divorce] || errors[fileFields.adoption])}
        line={<Trans>Divorce, adoption and other family matters</Trans>}
      >
        <YesNoField name="parentWorkingatFS" />
        {values.parentWorkingatFS === true && <TextField name="staffHRISEmployeeID" width="medium" />}
        <YesNoField name="isParentDivorced" required onChange={answer('divorceDocumentPath', fileFields.divorce)} />
        {values.isParentDivorced === true && (
          <UploadField
            name={fileFields.divorce}
            hint={
              <>
                <Trans>We need to know who may collect your child and sign for your child.</Trans> {files}
              </>
            }
            stored={storedFile(values.divorceDocumentPath, saved?.divorceDocumentPath)}
          />
        )}
        <YesNoField name="isChildAdopted" required onChange={answer('adoptionDocumentPath', fileFields.adoption)} />
        {values.isChildAdopted === true && (
          <UploadField
            name={fileFields.adoption}
            hint={files}
            stored={storedFile(values.adoptionDocumentPath, saved?.adoptionDocumentPath)}
          />
        )}
        <TextField name="otherFamilyIssueDtl" long />
      </Fold>
    </Section>
  );
}

const storedFile = (path: unknown, saved: string | null | undefined) =>
  path && saved ? fileAddress(saved) : undefined;

function Guardian({ sectors }: { sectors: Career[] }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const owner = t`Guardian’s`;
  return (
    <Section title={<Trans>Local guardian</Trans>} name={msg`Guardian`}>
      <YesNoField name="isParentLocalGuardian" required />
      {values.isParentLocalGuardian === false && (
        <>
          <NameFields who="guardian" owner={owner} isLocked={() => false} />
          <TextField
            name="guardianRelationwithChild"
            width="medium"
            suggestions={['Grandfather', 'Grandmother', 'Uncle', 'Aunt', 'Brother', 'Sister']}
          />
          <TextField name="guardianChildLivingReason" long required />
          <TextField name="guardianQualification" owner={owner} width="medium" />
          <WorkFields who="guardian" owner={owner} sectors={sectors} />
          <GuardianAddress owner={owner} />
        </>
      )}
    </Section>
  );
}

function GuardianAddress({ owner }: { owner: string }): ReactNode {
  const { offers, states } = usePlaces('guardian');
  const common = { owner, required: true } as const;
  return (
    <>
      <TextField name="guardianStreetNo" {...common} width="short" />
      <TextField name="guardianAddress1" {...common} />
      <TextField name="guardianAddress2" owner={owner} />
      <TextField name="guardianPinCode" {...common} width="short" inputMode="numeric" offers={offers} />
      <TextField name="guardianCity" {...common} width="medium" />
      <TextField name="guardianState" {...common} width="medium" suggestions={states} />
      <TextField name="guardianCountry" {...common} width="medium" />
    </>
  );
}

const fromInquiry = (inquiry: OpenInquiry): Values =>
  Object.fromEntries(lockedParentFields.map((name) => [name, inquiry[name] ?? '']));

/** The saved answers, or the values of the inquiry; the questions on divorce and adoption start at No (A30). */
function initialValues(inquiry: OpenInquiry, saved: ParentInfo | undefined): Values {
  const names = Object.keys(parentInfoDraft.shape).filter(
    (name) => !(name in formKeys) && name !== 'detailsNotApplicable',
  );
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const questions = Object.fromEntries(
    [
      'parentWorkingatFS',
      'isParentLocalGuardian',
      'fatherCanVisitWorkplace',
      'motherCanVisitWorkplace',
      'guardianCanVisitWorkplace',
    ].map((name) => [name, null]),
  );
  const start = {
    ...questions,
    isParentDivorced: false,
    isChildAdopted: false,
    hasNoFather: false,
    hasNoMother: false,
  };
  const fromSaved =
    saved &&
    Object.fromEntries(
      names.map((name) => [
        name,
        saved[name as keyof ParentInfo] ??
          start[name as keyof typeof start] ??
          (typeof questions[name] === 'object' ? null : ''),
      ]),
    );
  return { ...empty, ...start, ...fromInquiry(inquiry), ...fromSaved };
}
