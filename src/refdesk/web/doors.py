"""Where routes are mounted: the API's for a key, and for a session in a project; and those of OpenAI's
clients."""

API = "/v2"
CONSOLE = "/console/v2/projects/{project_id}"
OPENAI = "/v1"
