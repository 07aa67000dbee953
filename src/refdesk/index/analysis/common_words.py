"""The most common words of the languages that have a Snowball stemmer: what a text votes with."""

COMMON_WORDS = {
    "english": (
        "the of and to in is that it for was on are with as be this by from at have or not which an "
        "if can will you your when what how within"
    ),
    "german": (
        "der die das und ist nicht von zu den mit sich des auf für im dem ein eine als auch es an "
        "werden aus er hat dass sie nach wird bei wie kann innerhalb"
    ),
    "french": (
        "le la les de des et est un une du dans pour que qui au aux par sur ce pas plus avec ne se "
        "sont il elle vous ou cette dès sous"
    ),
    "spanish": (
        "el la los las de y que en un una es por con para del se no al lo su como más pero sus le "
        "ha son este está desde puede"
    ),
    "portuguese": (
        "o a os as de e que em um uma do da dos das no na é por com para não ao se mais como foi "
        "são pelo pela você seu sua"
    ),
    "italian": (
        "il lo la gli le di e che un una del della dei in per con non è si sono da al nel alla "
        "anche come più questo dal i ed può"
    ),
    "catalan": (
        "el la els les de i que en un una és per amb del al no es als dels més com són aquest "
        "aquesta ha però seva"
    ),
    "dutch": (
        "de het een en van is dat niet op te in voor met zijn die er aan ook als bij door naar "
        "wordt uit maar om deze kan binnen"
    ),
    "swedish": (
        "och att det är som en på för av med till inte den har ett om från de vid eller kan ska när "
        "inom så var"
    ),
    "danish": (
        "og at det er som en på for af med til ikke den har et om fra de ved eller kan skal når "
        "inden så var blev være"
    ),
    "norwegian": (
        "og at det er som en på for av med til ikke den har et om fra de ved eller kan skal når "
        "innen så var ble være"
    ),
    "finnish": (
        "ja on ei että se oli ovat joka mutta kun tai sen hän myös niin kuin mukaan voi ole sekä "
        "jos kanssa jälkeen tämä"
    ),
    "hungarian": (
        "a az és hogy nem egy is van ez meg csak de volt vagy mint el ki már ha által után között "
        "amely kell lehet"
    ),
    "polish": (
        "w i na nie się z do to jest że o jak po przez od za dla są co lub oraz przy może być które ich ze"
    ),
    "czech": (
        "a v je na se že s z to do o i k by za jako pro ve po není který jsou nebo od byl při může "
        "být u co které"
    ),
    "romanian": (
        "de și în a la cu pe nu este o un din care că pentru sau mai prin al ale fi sunt după se ce fost dacă"
    ),
    "turkish": (
        "ve bir bu için ile da de olarak daha olan gibi en çok sonra kadar ne o ama veya değil her "
        "var mi içinde"
    ),
    "indonesian": (
        "yang dan di dengan untuk dari pada ini itu tidak adalah dalam akan ke oleh atau juga dapat "
        "karena sebagai anda"
    ),
    "estonian": (
        "ja on ei et see oli kui ka ning mis või aga oma mida seda ta saab selle ole kes pärast pole siis"
    ),
    "lithuanian": ("ir yra kad į su iš tai ar bet buvo kaip už nuo taip dėl per jo tik ne apie gali po prie"),
    "irish": ("an agus na ar is go sé tá bhí le do i ag leis a ó sin nach mar don níl chun faoi"),
    "basque": ("eta da ez bat du dira ere izan zen den hau baina edo bere dute egin dago duen beste dela"),
    "esperanto": ("la kaj de en estas ne al ke por kun li ĝi estis pri kiel aŭ sed el tiu ili oni per"),
    "russian": (
        "и в не на что с по как это к из у за от для он но все так же или при был его то мы до если быть"
    ),
    "serbian": ("и је да у се на од за са су који не као то што из али или би након може како бити"),
    "greek": ("και το της η ο να του την στο από με για που σε είναι δεν τα οι των θα στην ή ως αν"),
    "armenian": ("է եւ և որ են այդ մեջ համար չի նա այս մի հետ իր ու թե կամ որը"),
    "arabic": ("في من على إلى أن التي عن مع هذا هذه لا ما كان الذي ذلك بعد أو كل قد هو هي بين"),
    "persian": ("و در به از که این را با است برای آن یک تا بر هم نیز شود می ها خود یا اگر شما"),
    "hindi": ("के है में की और से का को पर यह कि ने एक हैं नहीं लिए भी इस तो कर या था हो जो"),
    "nepali": ("छ र को मा हो का लागि यो गर्न पनि छन् ले भने भएको बाट वा हुन्छ गरेको तथा"),
    "tamil": ("ஒரு மற்றும் இந்த என்று அது என உள்ள இது அல்லது ஆகும் இருந்து அந்த முடியும் கொண்ட பின்"),
    "yiddish": ("און די איז דער פון אין צו אַז נישט האָט מיט אויף דאָס פֿון איר זענען פאר"),
}
