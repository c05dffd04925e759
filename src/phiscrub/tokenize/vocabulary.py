"""The words that rules for sentences and sections know: English, Spanish and Swedish.

All are in lower case but `STARTERS`; abbreviations are without their last period.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A name or a number always follows: the period never ends a sentence.
TITLES = _words(
    """
    dr dra drs mr mrs ms mx messrs mme mlle prof profa rev fr sr sra srta st ste sta hon capt
    col cmdr cpl gen gov insp lt maj pres sen sgt supt pvt dña dn att attn dir ssk överläk
    """
)

# The period ends a sentence unless a digit follows.
BEFORE_NUMBERS = _words(
    """
    jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic okt mon tue tues wed thu
    thur thurs fri sat sun no nos nr núm num n.º nº fig figs p pp pg pág ch chap cap sec art
    vol ver rm rms bldg apt ste ext tel telf tfno fax ph tlf tlfn mob box par ref reg acc
    approx ca aprox gt lt wt ht temp resp hr bp mg mcg g gm gms gr kg lb lbs oz ml mls cc l dl
    mm cm m km ft mmhg meq iu u hz bpm secs mins h hrs wk wks mo mos yr yrs
    """
)

# The period ends a sentence only if a word follows that usually begins one.
SHORTENED = _words(
    """
    vs viz etc al resp incl excl esp approx ca cf cont cp ed eds et pt pts pat abd abn adm
    admin alb amb amt ant appt appts asst ave avg b bilat blvd bx cardiol cath cauc chem chr
    cl clin co comp conc cond conj corp coron creat ctr def dept derm dev diff disch disp dist
    div dx endo esq eval exc ext extr fam freq fx gastro gen gest gyn hosp hx hwy imp inc inf
    inj inst int intl jr kin lac lat lig ltd med meds metab micro mod mt mtn mult musc myc neg
    neur neuro ob obs occ op opt orth ortho ped peds perf perc phys pl plt pos ppl prev prn
    prob proc prog prox psych pulm qd qid quad rad rec rel retic rt rx sched sig sl soln sp
    spec sq stat std subcut sup supp surg susp sx symp tab tabl tabs tbsp tid bid tsp tx unk
    ur urol vag vasc vent vit av avda avd bv c ced cía col dcha dpto ej entl esc hist izq
    izqda ktr mtt pza s/n tto ud uds urg vd bl dvs ev fr fn forts inkl jfr kl kvll mfl mm osv
    p.g.a pga s.k sk st t.ex tex t.o.m u.a ua urspr vb
    """
)

# A single capital after these completes them ("vitamin C."); elsewhere it is an initial.
LETTERED = _words(
    """
    vitamin hepatitis hep type grade class group stage factor protein troponin category
    influenza flu part plan phase apolipoprotein immunoglobulin ig ward room unit building
    block level vitamina tipo grupo clase grado estadio fase sala typ grupp klass stadium fas
    avdelning
    """
)

# Words that usually begin a sentence where they are capitalised, and are seldom a name.
STARTERS = _words(
    """
    A After All Also An And As At Because Before Both But By Currently Denied Denies During
    Each Exam Examination Following For From Given Had Has He Her His However I If In
    Initially It Its Last Later Most My Next No None Not Now On Once Or Our Over Patient
    Patients Plan Previously Pt Reports Reported Review She Since So Some Subsequently Take
    That The Their Then There These They This Those Though Today Under Until Upon Was We Were
    When Where Which While Who Will With Without You Your Al Además Actualmente Con De Desde
    Después Durante El Ella En Entre Es Ese Esta Este Fue Ha Hasta La Las Le Lo Los Niega
    Paciente Para Pero Por Posteriormente Presenta Refiere Se Según Sin Su Sus Tras Un Una Ya
    Aktuellt Att Av Den Det Där Då Efter Eftersom Ett Får Från För Ger Har Han Hans Hennes Hon
    Idag Ingen Inga Inget Inte Kommer Man Med Men Nu När Och Om Patienten På Pat Planerar Samt
    Sedan Som Tar Till Utan Var Vi Vid Är
    """
)

# Words of which a heading in mixed case has at least one where text follows on its line.
HEADINGS = _words(
    """
    history complaint complaints illness examination exam assessment plan impression allergies
    allergy medications medication meds course diagnosis diagnoses procedure procedures
    results findings labs laboratory imaging radiology systems summary disposition
    recommendations subjective objective indication indications technique comparison
    conclusion discussion immunizations vitals signs problems prognosis consultations
    instructions background antecedentes exploración evolución diagnóstico diagnósticos
    tratamiento motivo anamnesis juicio pruebas enfermedad informe alergias medicación
    resultados analítica conclusión comentarios recomendaciones procedimiento procedimientos
    resumen anamnes aktuellt bedömning status sjukdomar socialt hereditet heredo läkemedel
    överkänslighet åtgärd åtgärder planering diagnos diagnoser sökorsak kontaktorsak
    undersökning lab röntgen epikris sammanfattning ordination ordinationer medicinering
    allergier vårdförlopp
    """
)

# Fields in capitals that hold one value and open no section.
FIELDS = _words(
    """
    name patient dob age sex mrn mr ssn acct account date time phone tel fax address room bed
    unit bp hr rr pr t p r temp pulse resp wt ht bmi weight height spo sao o sat sats seen adm
    dc pcp gp re to from attn ref job d nhc nass cp
    """
)
