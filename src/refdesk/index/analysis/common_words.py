"""Words so common in a language that they say little: what a text votes with for its language, and what
counts for little in a question. One list for each language that has a Snowball stemmer."""

COMMON_WORDS = {
    "english": (
        "a about after again all also am an and any are as at be because been before being between "
        "both but by can can't could did do does doesn't doing don't during each every few for from "
        "further had has have having he her here hers him his how i i'm if in into is isn't it it's "
        "its itself just me more most must my no nor not of off on once only or other our out over "
        "own please same shall she should so some such than that the their them then there these "
        "they this those through to too under until up upon us very was we were what what's when "
        "where which while who whom whose why will with within without would you your yours"
    ),
    "german": (
        "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist bitte "
        "da damit dann das dass dein deine dem den denn der des dessen die dies diese diesem diesen "
        "dieser dieses doch dort du durch ein eine einem einen einer eines er es euer für gegen "
        "habe haben hat hatte hier hinter ich ihm ihn ihnen ihr ihre ihren im in innerhalb ins ist "
        "ja jede jedem jeden jeder jedes kann kein keine können könnte man mein meine mich mir mit "
        "muss müssen nach nicht noch nun nur ob oder ohne sehr sein seine seit sich sie sind so "
        "soll sollen sollte sondern um und uns unser unter viel vom von vor wann war waren warum "
        "was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wieviel "
        "will wir wird wo woher wohin worden wurde wurden würde zu zum zur zwischen über"
    ),
    "french": (
        "a afin ai ainsi alors au aucun aussi autre aux avait avant avec avez avoir avons c'est car "
        "ce ceci cela celle celui ces cet cette ceux chaque chez combien comme comment d'un d'une "
        "dans de depuis des donc dont du dès elle elles en entre est est-ce et eu fait faut il ils "
        "j'ai je jusqu'à l'on la laquelle le lequel les leur leurs lors lui ma mais me mes moi mon "
        "même n'est ne ni nos notre nous on ont ou où par parce pas pendant peut peut-on peuvent "
        "plus pour pourquoi puis qu'est-ce qu'il quand que quel quelle quelles quels qui quoi s'il "
        "sa sans se selon ses si soit son sont sous sur ta te tes toi ton tous tout toute toutes "
        "très tu un une va vers vos votre vous y étaient était été être"
    ),
    "spanish": (
        "a al algo alguna algún ante antes aquel así aunque aún cada como con contra cual cuales "
        "cualquier cuando cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo de del desde donde "
        "durante dónde e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estas "
        "este esto estos está están fue fueron ha había han hasta hay la las le les lo los me mi "
        "mis mucho muy más nada ni no nos nosotros nuestra nuestro o otra otro para pero poco por "
        "porque puede pueden puedo pues que quien quién quiénes qué se sea según ser si sido sin "
        "sino sobre son su sus sí también tan te tener tengo tiene tienen toda todas todo todos tu "
        "tus un una unas uno unos usted ustedes y ya yo él"
    ),
    "portuguese": (
        "a ao aos aquela aquele as até cada com como da das de dela dele depois desde do dos e ela "
        "elas ele eles em entre era essa esse esta este está estão eu foi foram há isso isto já lhe "
        "mais mas me mesmo meu minha muito na nas nem no nos não nós o onde os ou para pela pelas "
        "pelo pelos pode podem por porque porquê posso quais qual qualquer quando quanto quantos "
        "que quem quê se sem ser será seu seus sobre sua suas são também te tem ter toda todas todo "
        "todos tu têm um uma umas uns você vocês à às é"
    ),
    "italian": (
        "a abbiamo ad agli ai al alla alle allo anche avere c'è che chi ci cioè come con contro "
        "cos'è cosa cui da dagli dai dal dalla dalle degli dei del dell della delle dello dentro di "
        "dopo dove due e ed era erano essere fra gli ha hai hanno ho i il in io l la le lei li lo "
        "loro lui ma mi mia mie miei mio molto ne nei nel nell nella nelle nello noi non nostra "
        "nostro o ogni oppure per perché però più posso possono prima può quale quali quando quanta "
        "quante quanti quanto quella quelle quelli quello questa queste questi questo qui se sei "
        "senza si sia siamo sono su sua sue sugli sui sul sulla sulle suo suoi ti tra tu tua tuo "
        "tutta tutte tutti tutto un una uno vi voi è"
    ),
    "catalan": (
        "a això al algun alguna als amb aquell aquella aquest aquesta aquestes aquests cada com "
        "contra d'un d'una de del dels des després el ell ella els en entre era estan està fins ha "
        "han hi i l'any la les li llavors meu meva molt més no nosaltres o on per perquè però poden "
        "pot puc qual quals quan quant quants que qui què s'ha se sense seu seus seva seves si "
        "sobre són també tenen tot tota tots té un una uns va vam van vostè és"
    ),
    "dutch": (
        "aan al alle als altijd andere ben bij binnen daar dan dat de der deze die dit doen door "
        "dus een en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hoeveel hun "
        "iets ik in is ja je jij jullie kan kon kunnen maar me meer men met mij mijn moet moeten na "
        "naar niet niets nog nu of om onder ons onze ook op over reeds te tegen toch tot tussen u "
        "uit uw van veel voor waar waarom wanneer want was wat we welk welke werd wie wij wil "
        "worden wordt zal ze zei zelf zich zij zijn zo zonder zou"
    ),
    "swedish": (
        "alla allt att av blev bli blir både de dem den denna deras dess det detta dig din dina "
        "ditt du då efter ej eller en er ert ett från för genom ha hade han hans har henne hennes "
        "hon honom hur i icke ingen inom inte jag ju kan kunde man med mellan men mig min mina mitt "
        "mot mycket ni nu när någon något några och om oss på sedan sig sin sina sitt ska skall "
        "skulle som så till under upp ut utan vad var vara varför vars vart vem vi vid vilka vilken "
        "vilket är åt över"
    ),
    "danish": (
        "ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din "
        "dine disse dog du efter eller en end er et for fra få får før ham han hans har havde have "
        "hende hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor "
        "hvornår i ikke ind inden ingen jeg jer jo kan kunne man mange med meget mellem men mig min "
        "mine mit mod må nogen noget nogle nu når og også om op os over på selv sig sin sine sit "
        "skal skulle som til ud uden under var ved vi vil ville vor være været"
    ),
    "norwegian": (
        "alle at av bare ble bli blir da de deg den denne der dere deres det dette di din disse dit "
        "du eller en er et etter for fordi fra før ha hadde han hans har hennes her hos hun hva "
        "hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke ingen inn innen jeg kan "
        "kunne mange med meg mellom men min mine mitt mot mye må ned noe noen nå når og også om opp "
        "oss over på seg selv sin sine sitt skal skulle som så til under ut uten var ved vi vil "
        "ville vår være vært"
    ),
    "finnish": (
        "ei eikä eivät ellei emme en että he heidän heille hän häneen hänen ja jo joka jonka jos "
        "joskus jotka jälkeen kanssa keitä ken kenen koska kuin kuinka kuka kun kuten lisäksi me "
        "meidän mihin miksi mikä milloin minkä minun minä missä mistä miten mitä moni monta mukaan "
        "mutta myös ne niiden niin niitä noin nyt ole olemme olen oli olisi olivat olla oma on onko "
        "ovat paljonko saa se sekä sen siis siitä sillä sinä sitä tai te tuo tämä tämän vaan vai "
        "vaikka vain voi voiko voin yli"
    ),
    "hungarian": (
        "a abban ahhoz ahol aki akik akkor amely amelyek ami amikor annak arra az azok azt azért be "
        "belül csak de e ebben egy egyik ehhez el ennek ez ezek ezt fel ha hogy hogyan hol honnan "
        "hová hány ide igen is itt jó kell ki kik két között le lehet lesz maga meg mely melyik "
        "mennyi mennyibe mert mi mik mikor milyen mind mint mit miért már még nagyon nem nincs "
        "olyan ott pedig s sem semmi szerint ti tud után vagy vagyok van vannak volt voltak által "
        "át én és így össze úgy ő ők"
    ),
    "polish": (
        "a aby albo ale ani bardzo bez bo być był była było były co czego czemu czy czym dla "
        "dlaczego dlatego do dokąd gdy gdzie go i ich ile im ja jak jaka jaki jakie jakiego jako je "
        "jego jej jest jestem jeśli już każdy kiedy kim kogo komu kto która które którego której "
        "który których którzy lub ma mają mam mi między mnie mogę moja moje może można mu mój na "
        "nad nam nas nasz nich nie nim niż o od ona one oni ono oraz po pod podczas przed przez "
        "przy się skąd swoje są ta tak także tam te tego tej temu ten to tu ty tych tylko tym u w "
        "we wszystkie wszystko z za ze że żeby"
    ),
    "czech": (
        "a aby ale ani ano asi až bez bude budou by byl byla byli bylo být co což do ho i ich jak "
        "jako jaká jaké jaký je jeho jejich její jen ještě ji již jsem jsi jsme jsou jste já k kam "
        "kde kdo kdy když ke kolik která které kterého který kteří ku mají me mezi mi mnou mně moje "
        "my má máme můj může můžete můžu na nad ne nebo není než nic nám nás náš o od ode on ona "
        "oni ono po pod podle pokud pouze pro proto protože proč před při s se si sice skrz sobě "
        "své svůj ta tak také takže tam tato ten tento to tohle toho tom tomu tu ty této tím u už v "
        "ve vy vám vás váš více však všechno z za ze či čí že"
    ),
    "romanian": (
        "a aceasta această acest aceste acestea aceștia ai al ale am ar are asta au avea aș ați "
        "care ce cei cel cele cine cu cum când cât câte câți că căci da dacă de deci decât deși din "
        "doar după e ea ei el ele era este eu fi fie fost fără iar la le lor lui mai mea mei meu "
        "mult noi nostru nu o or ori oricare pe pentru peste poate pot prin sa sale sau se spre sub "
        "sunt să său te toate tot tu un una unde unei unor unui va voi vom vor vă îi îl îmi în "
        "între își și"
    ),
    "turkish": (
        "acaba ama ancak arasında artık aslında az bana bazı belki ben beni benim bir biri birkaç "
        "biz bizim bu bunlar bunu bunun da daha de defa demek değil diye dolayı en gibi göre ha "
        "hangi hatta hem henüz hep her hiç ile ise için içinde işte kadar kaç kez ki kim kimse mi "
        "midir mu mü mı nasıl ne neden nedir nelerdir nerede nereye niye o olan olarak oldu olduğu "
        "olup ona onlar onu onun oysa sanki sen siz sonra tüm var ve veya ya yani yok zaman çok "
        "çünkü üzere şey şu"
    ),
    "indonesian": (
        "ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa banyak "
        "beberapa belum berapa bisa boleh bukan dalam dan dapat dari daripada dengan di dia harus "
        "hingga ia ini itu jika juga kami kamu kapan karena ke kepada ketika kita lagi lain lebih "
        "maka mana masih mengapa menjadi mereka namun oleh pada para pernah saat saja sampai sangat "
        "saya sebagai sebelum sebuah secara sedang sejak seperti serta setelah siapa sudah tanpa "
        "telah tentang terhadap tetapi tidak untuk yaitu yang"
    ),
    "estonian": (
        "aga all alla alles ees ega ei enam enne et ja jah juba ka kas keda kelle kes kogu koos "
        "kuhu kui kuidas kuni kus kust kõik läbi ma me meie mida miks millal mille milles milline "
        "millised mina mis mitte mitu mul nad need neid nende nii ning nüüd oled olema oli olid "
        "olla oma on pea peab peale pärast sa saa saab seal seda see sees selle sellest siin siis "
        "sina ta te tema tuleb vaid veel või ühe üks üle"
    ),
    "lithuanian": (
        "ant ar arba aš be bei bet buvo būti būtų dar dėl ir iš ja jau jei jeigu ji jie jis jo jos "
        "jūs jų ka kad kada kai kaip kam kas kiek kiekvienas kita kitas kodėl kokia kokie koks kol "
        "ku kur kuri kurie kuris ką labai man mano mes mūsų ne nei nes net nors nuo nėra o pagal "
        "pas per po prie prieš sau savo su tada tai taip tarp tas tačiau to todėl tu turi tų už "
        "visi yra į ši šio šis"
    ),
    "irish": (
        "a ach ag agus an ar as bhfuair bhfuil bhí bíonn cad cathain chuig chun conas cá cár cé cén "
        "de den do don dá faoi fuair féidir gan go gur i iad idir in ina inár is le leis lá mar mo "
        "más mé na nach nuair ná ní níl níor nó os sa san seo siad sin sinn sna sé sí tar thar tá "
        "tú um é ó"
    ),
    "basque": (
        "al arabera arte asko bada baina baino bat batean batek bati batzuk behar bera bere berria "
        "bezala da dago dagoen daude dela den dezaket dira ditu dituen du duela duen dute duten edo "
        "egin egiten ere eta ez gabe gero gu gure hartan hau hauek hori horiek horrek horretan hura "
        "ikusi itzuli izan izanez izango izaten lehen nahi ni nik noiz nola non nor nora noren nork "
        "zaio zait zein zen zenbat zer zergatik zertan ziren zituen zuen zuten"
    ),
    "esperanto": (
        "al ankaŭ antaŭ aŭ da de dum ekster el en estas estis estos eta havas ili ilia inter ja jam "
        "je kaj ke kia kial kiam kie kiel kies kio kiom kiu kiuj kun kvankam la laŭ li lia mi mia "
        "ne nek ni nia nur ol oni per plej pli por post povas preter pri pro sed sen si sia sub "
        "super sur tamen tia tial tie tiel tio tiu tiuj tra trans tro unu vi via ĉar ĉe ĉi ĉiu ĉiuj "
        "ĉu ĝi ĝia ĝis ŝi ŝia"
    ),
    "russian": (
        "а без бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да для до "
        "его ее если есть еще ещё её же за и из или им их к каждый как какая какие каков какого "
        "какое какой когда которая которые который кто куда ли либо между меня мне много может "
        "можно мой мы на над надо нам нас наш не него нее нет неё ни них но ну о об один он она они "
        "оно от откуда очень перед по под после потому почему при про с сам свои свой себя сколько "
        "со так также такой там те тем то тогда того тоже той только том ты у уже чего чей чем "
        "через что чтобы чья эта эти это этого этой этом этот я"
    ),
    "serbian": (
        "а ако али без била било био бити будe већ ви више га где да до док за зашто и иако из или "
        "им има ка кад када како као ко кога код колико коме која које који кроз ли међу ми може "
        "мора му на над нам нас не него нека ни нисам није о ова овај ово од око он она они оно "
        "осим па по под после пре при са сам само све сви се себе смо сте су та тако такође тај ти "
        "то ту у уз уколико унутар хоће шта што је јер јесте још"
    ),
    "greek": (
        "ένα ένας έχει έχουν έχω ή ήταν ίδιο αλλά αν αντί απο από αυτά αυτές αυτή αυτοί αυτό αυτός "
        "για γιατί δεν εάν είμαι είναι είστε εγώ ειναι εκεί εκείνη εκείνο εμείς εσύ η θα κάθε κάτι "
        "καθώς και κατά κι μέσα μία μας με μετά μη μην μια μου μπορεί μπορώ να ο οι ούτε πάνω παρά "
        "περί ποια ποιες ποιο ποιοι ποιος που πού πριν προς πως πόσα πόσες πόση πόσο πότε πώς σαν "
        "σας σε σου στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των τότε "
        "υπό χωρίς ως όμως όπου όπως όταν ότι"
    ),
    "armenian": (
        "այդ այլ այն այս այստեղ դու դուք եմ են ենք ես երբ եւ եք է էի էին ըստ թե ի ին ինչ ինչու "
        "ինչպես իսկ իր իրենց կամ կարող համար հետ հետո մեկ մենք մեջ մի մինչ նա նաև նրա նրանք ով որ "
        "որը որոնք որպես որտեղ որքան ու ում չէ չի պիտի վրա և"
    ),
    "arabic": (
        "أ أم أن أنا أنت أنتم أو أي أية أين إذا إلا إلى إن التي الذي الذين بعد بعض بـ بل به بها بين "
        "تحت تكون ثم حتى حول حيث خلال دون ذلك سوف على عليه عن عند غير ف فقط في فيه فيها قبل قد كان "
        "كانت كل كم كما كيف لا لدى لـ لكن لم لماذا لن له لها لو ليس ما ماذا متى مع من منذ منه منها "
        "نحن نحو هذا هذه هل هم هناك هو هي و وهو يتم يكون يمكن يمكنني"
    ),
    "persian": (
        "آن آنها آیا از است اما اند او اگر این با باید بر برای به بود بودن بی تا تر خواهد خود دارد "
        "دارند در دیگر را روی زیر سپس شد شده شما شود ما مانند من مگر می نمی نه نیز نیست ها های هایی "
        "هر هم همه همین هیچ و ولی وی پس پیش چرا چطور چقدر چند چه چون چگونه چیست کجا کدام کرد کرده "
        "کند کنم کنند که کی گر یا یعنی یک"
    ),
    "hindi": (
        "अगर अपना अपनी अपने आप इन इस इसका इसकी इसके उन उनका उस उसका उसकी उसके एक ऐसा और कई कब कर "
        "करता करते करना करने कहाँ कहां का कि कितना कितनी कितने किस किसी की कुछ के कैसे को कोई कौन "
        "कौनसा क्या क्यों जब जहां जा जाता जाती जाते जिस जो तक तब तो था थी थे दिया द्वारा नहीं ना ने "
        "पर फिर बाद भी मगर मुझे में मेरा मेरी मैं यदि यह यहाँ या ये रहा रही रहे लिए व वह वहाँ वाला "
        "वाले वे सकता सकते सब साथ से हम हर ही हुआ हुई हुए है हैं हो होता होती होते होना"
    ),
    "nepali": (
        "अनि अब अर्को आफू आफ्नो उनको उनले उनी उसले एउटा एक कति कसरी कहाँ कहिले का कारण कि किन "
        "किनभने कुन के को कोही गरी गरेका गरेको गर्न गर्ने छ छन् छैन जब जसले जस्तो जुन त तथा तपाईं "
        "तर तिनी तिमी त्यो थियो दिन देखि न नै पछि पनि बाट भएका भएको भने भन्दा भन्ने भयो म मलाई मा "
        "मात्र यदि यस यसको यसरी यी यो र रहेको रूपमा लाई लागि ले वा सँग सक्छ सक्नु सबै हामी हुन हुने "
        "हुन्छ हो"
    ),
    "tamil": (
        "அதன் அது அதை அந்த அல்லது அவன் அவர் அவள் ஆக ஆகும் ஆனால் இதன் இது இதை இந்த இருந்து இல்லை "
        "உள்ள உள்ளது எங்கு எங்கே எது எத்தனை எந்த எனக்கு என் என்ன என்பது என்ற என்று எப்படி எப்போது "
        "எவ்வளவு ஏன் ஒரு ஓர் கொண்ட கொண்டு தன் தான் நான் நாம் நீ நீங்கள் படி பற்றி பின் பிறகு போது "
        "போன்ற மட்டும் மற்றும் மிக முடியுமா முடியும் முதல் மேலும் யார் வரை வேண்டும்"
    ),
    "yiddish": (
        "אַ אַז אַן אָבער אָדער אויב אויך אויס אויף און אונדז אונטער איז איך אין איר ביז ביי בין "
        "ביסט דאַן דאָ דאָס דו דורך די דעם דער האָבן האָט הייסט וואָס וווּ ווי וויפֿל וועט וועלכע "
        "ווען ווער זאָל זי זיי זייַן זיין זיך זענען זײַן זײַנען טאָר יאָ יעדער יענער מיט מיין מיר "
        "מען מער נאָך נאָר ניט נישט פֿאַר פֿאַרוואָס פֿון צו צווישן צי קיין קען קענען"
    ),
}

COMMON_PAIRS = (
    "什么 甚么 怎么 怎样 怎麼 什麼 为什 為什 哪个 哪些 哪里 哪個 如何 多少 几个 是否 请问 請問 可以 我们 "
    "我們 你们 他们 它们 这个 這個 那个 那個 一个 一個 没有 沒有 不是 的是 是什 是怎 么时 时候 "
    "です ます でし まし した して する され れる から まで この その どの どこ いつ なに 何で 何が 何を "
    "くだ ださ さい すか ょう"
)
"""The like in Chinese and Japanese, as the pairs of characters that these are searched by."""

OWN_LETTERS = {
    "german": "äöüß",
    "french": "àâæçèéêëîïôœùûüÿ",
    "spanish": "áéíñóúü",
    "portuguese": "àáâãçéêíóôõú",
    "italian": "àèéìîòù",
    "catalan": "àçèéíïòóúü",
    "dutch": "éëïö",
    "swedish": "äåéö",
    "danish": "åæéø",
    "norwegian": "åæéòø",
    "finnish": "äåö",
    "hungarian": "áéíóöúüőű",
    "polish": "óąćęłńśźż",
    "czech": "áéíóúýčďěňřšťůž",
    "romanian": "âîăşșţț",
    "turkish": "âçîöûüğış",
    "estonian": "äõöüšž",
    "lithuanian": "ąčėęįšūųž",
    "irish": "áéíóú",
    "basque": "çñü",
    "esperanto": "ĉĝĥĵŝŭ",
    "russian": "ёйщъыьэюя",
    "serbian": "ćčđšžђјљњћџ",
    "persian": "پچژکگی",
}
"""The letters of a language beside those that all of its script have."""

FALSE_FRIENDS = (
    "ad allen alt avant bare bat bed ben bin car chi co com comment con dai dan dog don door dove "
    "due em end era go ham hat hi ins inter jam jen jo ken kim mai mam man mar med men met min mind "
    "mine mint mod need nell net nic nor one op par pas per plus po post pot prima pro proto sale "
    "san sea seal sedan see sees sense ser sin sit son sub super tam tar ten ter tie till tom trans "
    "van wan want war was wo"
)
"""Words that are common in another language and are English words as well, or short for some."""
