"""Signatures of AWS as botocore makes them, for requests in JSON that come line by line."""
import base64
import json
import sys

from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def signature(sent):
    keys = Credentials(sent["accessKeyId"], sent["secretAccessKey"], sent["sessionToken"])
    kind = S3SigV4Auth if sent["service"] == "s3" else SigV4Auth
    auth = kind(keys, sent["service"], sent["region"])
    request = AWSRequest(
        method=sent["method"],
        url=sent["url"],
        headers=sent["headers"],
        data=base64.b64decode(sent["body"]),
    )
    request.context["timestamp"] = sent["headers"]["x-amz-date"]
    return auth.signature(
        auth.string_to_sign(request, auth.canonical_request(request)), request
    )


for line in sys.stdin:
    print(signature(json.loads(line)))
